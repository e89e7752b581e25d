import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { createStops } from "./stops.ts";

test("what started last stops first, and a part that fails does not keep the rest running", async () => {
  const stopped: string[] = [];
  const stops = createStops(createLog("silent"));
  stops.add("database", () => void stopped.push("database"));
  stops.add("worker", () => Promise.reject(new Error("stuck")));
  stops.add("http", async () => void stopped.push("http"));

  expect(await stops.run()).toEqual({ failed: ["worker"] });
  expect(stopped).toEqual(["http", "database"]);
  expect(await stops.run()).toEqual({ failed: [] });
});
