import type { Rule } from "./import-rules.ts";

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const COMPONENT_LINES_MAX = 120;
/** A factory that returns closures is a class in other words: what it declares counts by itself, up to this. */
const FACTORY_LINES_MAX = 150;
/** Words that name no thing. What a file called by one holds, its reader has to open it to learn. */
const BANNED_WORDS = new Set([
  "service",
  "manager",
  "helper",
  "helpers",
  "util",
  "utils",
  "common",
  "misc",
  "data",
  "info",
]);

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());
}

export const filesAreShort: Rule = ({ text }) => {
  const lines = text.trimEnd().split("\n").length;
  return lines >= FILE_LINES_MAX ? [`has ${lines} lines; at ${FILE_LINES_MAX} a file is two files`] : [];
};

/** A describe() is a chapter, not a function: tests are held to the length of their files only. */
export const functionsAreShort: Rule = ({ path, functions }) => {
  if (isTest(path)) return [];
  return functions.flatMap(({ name, line, lines, ownLines }) => {
    const isComponent = path.endsWith(".tsx") && /^[A-Z]/.test(name);
    const max = isComponent ? COMPONENT_LINES_MAX : FUNCTION_LINES_MAX;
    if (ownLines > max) return [`line ${line}: ${name} has ${ownLines} lines, more than ${max}`];
    return lines > FACTORY_LINES_MAX ? [`line ${line}: ${name} has ${lines} lines with all it declares`] : [];
  });
};

export const namesSaySomething: Rule = ({ path, exports }) => {
  const banned = (name: string) => wordsOf(name).filter((word) => BANNED_WORDS.has(word));
  const inPath = path.split("/").flatMap(banned);
  return [
    ...inPath.map((word) => `has "${word}" in its path, which says nothing`),
    ...exports.flatMap(({ name }) => banned(name).map((word) => `exports ${name}: "${word}" says nothing`)),
  ];
};

/** The same thing has the same name wherever it is used. Tools that ask for a default export get one. */
export const exportsHaveNames: Rule = ({ path, exports }) => {
  const isConfig = /\.config\.ts$/.test(path);
  return isConfig || !exports.some((one) => one.isDefault) ? [] : ["has a default export"];
};

export const filesHoldWhatTheyExport: Rule = ({ exports }) =>
  exports
    .filter((one) => one.isReexport)
    .map(({ name }) => `passes on ${name}: import it from where it is written`);

export const openEndsHaveNumbers: Rule = ({ comments }) =>
  comments.flatMap((comment) =>
    [...comment.matchAll(/\b(TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))/g)].map(
      ([word]) => `says ${word} without the number of an issue`,
    ),
  );

/** Folders that exist on one machine: of a person, or of whoever built this. */
const MACHINE_PATH = /(?<![\w.:/*-])\/(?:work|root|home|Users|tmp|var\/tmp|mnt|workspace)\/[\w.]/g;

export function machinePathsIn(text: string): string[] {
  return [...text.matchAll(MACHINE_PATH)].map(([start]) => {
    const line = text.slice(0, text.indexOf(start)).split("\n").length;
    return `line ${line}: names a folder of one machine (${start}...)`;
  });
}
