import { Skeleton } from "@mantine/core";
import { m } from "../messages/generated/messages.js";
import { Columns } from "./card.tsx";

const LINES = [120, 220, 180, 240, 160];

/** The layout of a detail page in grey, while its facts are on their way. */
export function DetailSkeleton() {
  return (
    <div aria-busy="true">
      <output className="visually-hidden">{m.loading()}</output>
      <Skeleton height={20} width={280} mt={2} />
      <Skeleton height={11} width={210} mt={12} />
      <Columns main={<SkeletonCard rows={6} />} side={<SkeletonCard rows={5} />} />
    </div>
  );
}

function SkeletonCard({ rows }: { rows: number }) {
  return (
    <div
      style={{
        padding: "18px 18px 22px",
        border: "1px solid var(--line)",
        borderRadius: "var(--radius-card)",
        background: "var(--surface)",
      }}
    >
      <Skeleton height={11} width={90} mb={20} />
      {Array.from({ length: rows }, (_, index) => (
        // Placeholder lines have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Skeleton key={index} height={11} width={LINES[index % LINES.length] ?? 120} mt={14} maw="100%" />
      ))}
    </div>
  );
}
