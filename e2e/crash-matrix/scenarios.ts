import type { Cell } from "./cell.ts";

/** One column of the matrix: what else goes on while something is dying. */
export interface Scenario {
  name: string;
  /** Workers that run side by side. */
  workers: 1 | 2;
  /** Begun while the victim stands still, ended at the earliest when it is dead. */
  meanwhile: (cell: Cell) => Promise<unknown>;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: "single", workers: 1, meanwhile: async () => {} },
  {
    name: "redelivery",
    workers: 1,
    meanwhile: ({ postman, event, lane }) => postman.post(event, lane.bystander.address),
  },
  {
    name: "twin",
    workers: 1,
    meanwhile: ({ postman, twin, lane }) => postman.post(twin, lane.bystander.address),
  },
  {
    name: "replay",
    workers: 1,
    meanwhile: ({ operator, event, lane }) => operator.replay(event.id, lane.bystander),
  },
  { name: "two workers", workers: 2, meanwhile: async () => {} },
];
