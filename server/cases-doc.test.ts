import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "./package-root.ts";
import { caseMarksIn } from "./tidy/case-marks.ts";
import { listFiles } from "./tidy/source-file.ts";

const page = readFileSync(join(packageRoot(), "docs/cases.md"), "utf8");

interface Row {
  caseId: string;
  outcome: string;
  /** `file: title` of each test. */
  proofs: string[];
  waitsFor: string;
}

const rows: Row[] = page
  .split("\n")
  .filter((line) => /^\| C\d{2} /.test(line))
  .map((line) => {
    const [caseId = "", outcome = "", proofs = "", waitsFor = ""] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    return {
      caseId,
      outcome,
      proofs: proofs === "" ? [] : proofs.split("<br>").map((proof) => proof.replaceAll("`", "").trim()),
      waitsFor,
    };
  });

describe("the page of cases", () => {
  test("has a row for each of the sixty, in order, each with a proof or with what it waits for", () => {
    expect(rows).toHaveLength(60);
    const caseIds = rows.map((row) => row.caseId);
    expect(caseIds).toEqual([...new Set(caseIds)].toSorted());
    const unsaid = rows.filter(
      (row) => row.outcome === "" || (row.proofs.length === 0 && row.waitsFor === ""),
    );
    expect(unsaid).toEqual([]);
  });

  test("counts right what is proven and what waits", () => {
    const proven = rows.filter((row) => row.proofs.length > 0 && row.waitsFor === "").length;
    const inPart = rows.filter((row) => row.proofs.length > 0 && row.waitsFor !== "").length;
    const waiting = rows.length - proven - inPart;
    expect(page).toContain(`**${proven} proven, ${inPart} in part, ${waiting} waiting.**`);
  });

  test("names exactly the tests that name a case", () => {
    const marked = listFiles(packageRoot())
      .filter((path) => /\.(test|spec)\.tsx?$/.test(path) && path !== "server/cases-doc.test.ts")
      .flatMap((path) => caseMarksIn(path, readFileSync(join(packageRoot(), path), "utf8")))
      .map(({ caseId, path, title }) => `${caseId} ${path}: ${title}`);
    const named = rows.flatMap(({ caseId, proofs }) => proofs.map((proof) => `${caseId} ${proof}`));
    expect(named.toSorted()).toEqual([...new Set(marked)].toSorted());
  });
});

/** Otherwise the page would agree with a search that finds nothing. */
describe("a comment that names a case", () => {
  const marks = (text: string) =>
    caseMarksIn("a.test.ts", text).map(({ caseId, title }) => `${caseId} ${title}`);

  test.each([
    ["above a test", '// Why. C01\ntest("is so", () => {});', ["C01 is so"]],
    ["with several", '// C01, C02: why.\n// More.\ntest("is so", () => {});', ["C01 is so", "C02 is so"]],
    [
      "above a table of tests",
      '// C01\ntest.for<[string]>([["a"]] as const)("is %s", () => {});',
      ["C01 is %s"],
    ],
    ["above a group", '// C01\ndescribe("they", () => { test("are so", () => {}); });', ["C01 they"]],
    ["in a test", 'test("is so", () => {\n  // C01\n  act();\n});', ["C01 is so"]],
    ["in a string only", 'test("is C01", () => {});', []],
  ])("belongs to the test it stands by: %s", (_, text, expected) => {
    expect(marks(text)).toEqual(expected);
  });

  test("and stands by no test is a fault", () => {
    expect(() => marks("// C01\nconst a = 1;")).toThrow("beside no test");
  });
});
