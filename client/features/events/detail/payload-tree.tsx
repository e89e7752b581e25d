import { useDisclosure } from "@mantine/hooks";
import type { PayloadNode } from "#shared/desk-views.ts";
import { m } from "../../../messages/generated/messages.js";
import { ChevronIcon } from "../../../ui/icons.tsx";
import { memberPath } from "./payload-path.ts";
import styles from "./payload-viewer.module.css";

interface PayloadTreeProps {
  name: string;
  path: string;
  node: PayloadNode;
  depth: number;
  /** Branches above this depth start unfolded. */
  openDepth: number;
  onCopy: (path: string) => void;
}

interface Member {
  key: string;
  path: string;
  node: PayloadNode;
}

function membersOf(node: PayloadNode, path: string): Member[] | null {
  if (node.kind === "list") {
    return node.items.map((item, index) => ({
      key: String(index),
      path: memberPath(path, index),
      node: item,
    }));
  }
  if (node.kind === "object") {
    return node.entries.map(([key, entry]) => ({ key, path: memberPath(path, key), node: entry }));
  }
  return null;
}

/** One node of a payload and, unfolded, everything below it. */
export function PayloadTree({ name, path, node, depth, openDepth, onCopy }: PayloadTreeProps) {
  const [isOpen, folding] = useDisclosure(depth < openDepth);
  const members = membersOf(node, path);

  if (members === null) {
    return (
      <div className={styles.leaf}>
        <PathName name={name} path={path} onCopy={onCopy} />
        <Leaf node={node} />
      </div>
    );
  }

  const children = (
    <ul className={depth === 0 ? styles.roots : styles.members}>
      {members.map((member) => (
        <li key={member.key}>
          <PayloadTree
            name={member.key}
            path={member.path}
            node={member.node}
            depth={depth + 1}
            openDepth={openDepth}
            onCopy={onCopy}
          />
        </li>
      ))}
    </ul>
  );
  if (depth === 0) return children;

  return (
    <>
      <div className={styles.branch}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-label={m.payload_branch({ name })}
          disabled={members.length === 0}
          onClick={folding.toggle}
        >
          <ChevronIcon />
        </button>
        <PathName name={name} path={path} onCopy={onCopy} />
        <span className={styles.size}>
          {node.kind === "list"
            ? m.payload_items({ count: members.length })
            : m.payload_fields({ count: members.length })}
        </span>
      </div>
      {isOpen && children}
    </>
  );
}

function PathName({ name, path, onCopy }: { name: string; path: string; onCopy: (path: string) => void }) {
  return (
    <button
      type="button"
      className={styles.name}
      title={m.payload_copy_path({ path })}
      aria-label={m.payload_copy_path({ path })}
      onClick={() => onCopy(path)}
    >
      {name}
    </button>
  );
}

function Leaf({ node }: { node: PayloadNode }) {
  if (node.kind === "hidden") {
    return (
      <span className={styles.hidden} title={m.payload_hidden_title()}>
        {m.payload_hidden()}
      </span>
    );
  }
  if (node.kind !== "value") return null;
  const type = node.value === null ? "null" : typeof node.value;
  return (
    <span className={styles.value} data-type={type}>
      {typeof node.value === "string" ? `"${node.value}"` : String(node.value)}
    </span>
  );
}
