import {
  type ColumnDef,
  createColumnHelper,
  metaHelper,
  type RowData,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import styles from "./data-table.module.css";
import { SortIcon } from "./icons.tsx";
import { TableSkeleton } from "./table-skeleton.tsx";

/** How a column is drawn: on a wide screen as a column, on a narrow one as a line of its row's card. */
export interface ColumnLook {
  align?: "right";
  /**
   * Where the cell goes on a narrow screen: `lead` and `side` share the first line, `full` takes a line of
   * its own, `pair` is a line with its heading, `none` is left out.
   */
  narrow: "lead" | "side" | "full" | "pair" | "none";
  /** Width of the grey bar while loading, in pixels. */
  skeletonWidth: number;
  /** Two where the cell has a second line, so that rows are as high as they will be. */
  skeletonLines?: 2;
  /** Keeps the heading for screen readers only. */
  isHeadingHidden?: boolean;
}

const features = tableFeatures({ columnMeta: metaHelper<ColumnLook>() });

export type Column<Row extends RowData> = ColumnDef<typeof features, Row>;

/** Makes the columns of a list; the row type is checked against every accessor. */
export function columnsOf<Row extends RowData>() {
  return createColumnHelper<typeof features, Row>();
}

export interface TableSort {
  columnId: string;
  direction: "ascending" | "descending";
  /** What pressing the heading does, in words. */
  label: string;
  toggle: () => void;
}

interface DataTableProps<Row extends RowData> {
  caption: string;
  columns: Column<Row>[];
  /** Undefined while the first page loads: the table is drawn with grey bars in place of values. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  sort?: TableSort;
  /** Drawn in place of rows when there are none. */
  empty: ReactNode;
  footer?: ReactNode;
  skeletonRows?: number;
  /** Leaves out the frame, for a table that a card frames already. */
  isInCard?: boolean;
}

const NO_ROWS: never[] = [];

/** The one table of the desk. It draws rows; filters, paging and fetching belong to the page. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, empty, footer, skeletonRows = 6, isInCard = false } = props;
  const frame = isInCard ? styles.bare : styles.frame;
  const getRowId = useMemo(() => (row: Row) => rowKey(row), [rowKey]);
  const table = useTable({ features, columns, data: rows ?? NO_ROWS, getRowId });

  if (rows?.length === 0) return <div className={frame}>{empty}</div>;

  return (
    <div className={frame}>
      <table className={styles.table} aria-busy={rows === undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => {
                const look = header.column.columnDef.meta;
                const isSorted = sort?.columnId === header.column.id;
                const heading = <table.FlexRender header={header} />;
                return (
                  <th
                    key={header.id}
                    scope="col"
                    data-align={look?.align}
                    {...(isSorted && { "aria-sort": sort.direction })}
                  >
                    {isSorted ? (
                      <button
                        type="button"
                        className={styles.sort}
                        aria-label={sort.label}
                        title={sort.label}
                        onClick={sort.toggle}
                      >
                        {heading}
                        <SortIcon direction={sort.direction} />
                      </button>
                    ) : (
                      <span className={look?.isHeadingHidden ? "visually-hidden" : undefined}>{heading}</span>
                    )}
                  </th>
                );
              })}
            </tr>
          ))}
        </thead>
        {rows === undefined ? (
          <TableSkeleton looks={columns.map((column) => column.meta)} rows={skeletonRows} />
        ) : (
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id}>
                {row.getAllCells().map((cell) => {
                  const { meta, header } = cell.column.columnDef;
                  return (
                    // A cell is no control; the rule cannot see what FlexRender puts into it.
                    // oxlint-disable-next-line jsx-a11y/control-has-associated-label
                    <td
                      key={cell.id}
                      data-align={meta?.align}
                      data-narrow={meta?.narrow}
                      data-heading={typeof header === "string" ? header : undefined}
                    >
                      <table.FlexRender cell={cell} />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        )}
      </table>
      {footer !== undefined && rows !== undefined && <div className={styles.footer}>{footer}</div>}
    </div>
  );
}
