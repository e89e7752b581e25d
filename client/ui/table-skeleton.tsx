import { Skeleton } from "@mantine/core";
import type { ColumnLook } from "./data-table.tsx";

interface TableSkeletonProps {
  looks: (ColumnLook | undefined)[];
  rows: number;
}

/** Grey bars in the layout that the rows will have, so that nothing jumps when they arrive. */
export function TableSkeleton({ looks, rows }: TableSkeletonProps) {
  return (
    <tbody aria-hidden="true">
      {Array.from({ length: rows }, (_, rowIndex) => (
        // Placeholder rows have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <tr key={rowIndex}>
          {looks.map((look, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <td key={index} data-align={look?.align} data-narrow={look?.narrow}>
              <Skeleton
                height={11}
                my={4}
                width={look?.skeletonWidth ?? 80}
                maw="100%"
                {...(look?.align === "right" && { ml: "auto" })}
              />
              {look?.skeletonLines === 2 && <Skeleton height={9} mt={9} mb={4} width={110} maw="100%" />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
