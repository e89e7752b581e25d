import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { type ESTree, parseSync, Visitor } from "vite";

/** One file of the repository as the rules look at it. Paths are relative to its root, with slashes. */
export interface SourceFile {
  path: string;
  text: string;
  imports: SourceImport[];
  exports: SourceExport[];
  functions: SourceFunction[];
  comments: string[];
}

export interface SourceFunction {
  name: string;
  line: number;
  /** Without those of the functions declared in it. */
  ownLines: number;
  lines: number;
}

export interface SourceImport {
  /** The path of a file of ours, or the name of a package. */
  target: string;
  isOurs: boolean;
  /** Gone after compiling, so that it cannot be part of a cycle at run time. */
  isType: boolean;
  /** Local name by imported name, '*' for a namespace. */
  names: Map<string, string>;
}

export interface SourceExport {
  name: string;
  isDefault: boolean;
  /** Passed on from another file of ours without a word of its own. */
  isReexport: boolean;
}

const SKIPPED_FOLDERS = new Set([
  "node_modules",
  "dist",
  "generated",
  "screenshots",
  "test-results",
  "playwright-report",
]);

/** All files below the folder that people wrote; hidden folders hold tools and data. */
export function listFiles(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isSkipped =
        SKIPPED_FOLDERS.has(entry.name) || (entry.name.startsWith(".") && entry.name !== ".ci");
      return isSkipped ? [] : listFiles(root, path);
    }
    return entry.isFile() && entry.name !== "package-lock.json" ? [path] : [];
  });
}

export function readSources(root: string): SourceFile[] {
  return listFiles(root)
    .filter((path) => /\.(tsx?|js)$/.test(path))
    .map((path) => parseSource(path, readFileSync(join(root, path), "utf8")));
}

/** Reads imports, exports and functions off a file's syntax tree: text search would find them in strings too. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, module, comments, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);

  const statics = module.staticImports.map((one) => ({
    ...resolveTarget(path, one.moduleRequest.value),
    isType: one.entries.length > 0 && one.entries.every((entry) => entry.isType),
    names: new Map(one.entries.map((entry) => [entry.importName.name ?? "*", entry.localName.value])),
  }));
  const dynamics = module.dynamicImports.map((one) => {
    const request = text.slice(one.moduleRequest.start, one.moduleRequest.end).replaceAll(/["'`]/g, "");
    return { ...resolveTarget(path, request), isType: false, names: new Map<string, string>() };
  });
  const exported = module.staticExports.flatMap((one) => one.entries);
  const reexports = exported.flatMap((entry) =>
    entry.moduleRequest
      ? [
          {
            ...resolveTarget(path, entry.moduleRequest.value),
            isType: entry.isType,
            names: new Map<string, string>(),
          },
        ]
      : [],
  );
  return {
    path,
    text,
    imports: [...statics, ...dynamics, ...reexports],
    exports: exported.map((entry) => ({
      name: entry.exportName.name ?? entry.localName.name ?? "*",
      isDefault: entry.exportName.kind === "Default",
      isReexport: entry.moduleRequest !== null && resolveTarget(path, entry.moduleRequest.value).isOurs,
    })),
    functions: functionsOf(program, text),
    comments: comments.map((comment) => comment.value),
  };
}

function resolveTarget(from: string, request: string): { target: string; isOurs: boolean } {
  const ours = /^#(shared|server)\//.exec(request);
  if (ours) return { target: request.slice(1), isOurs: true };
  if (request.startsWith(".")) return { target: join(dirname(from), request), isOurs: true };
  const parts = request.split("/");
  return { target: parts.slice(0, request.startsWith("@") ? 2 : 1).join("/"), isOurs: false };
}

function functionsOf(program: ESTree.Program, text: string): SourceFunction[] {
  const found: (SourceFunction & { end: number })[] = [];
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const note = (node: { start: number; end: number }, name: string) => {
    const line = lineOf(node.start);
    const lines = lineOf(node.end) - line + 1;
    found.push({ name, line, lines, ownLines: lines, end: line + lines - 1 });
  };
  const declared: { line: number; end: number; lines: number }[] = [];
  new Visitor({
    FunctionDeclaration: (node) => {
      note(node, node.id?.name ?? "the default export");
      const latest = found.at(-1);
      if (latest) declared.push(latest);
    },
    FunctionExpression: (node) => note(node, node.id?.name ?? "a function expression"),
    VariableDeclarator: (node) => {
      if (node.init?.type !== "ArrowFunctionExpression" || node.id.type !== "Identifier") return;
      note(node.init, node.id.name);
    },
    ArrowFunctionExpression: (node) => note(node, "an arrow function"),
  }).visit(program);

  const isIn = (inner: { line: number; end: number }, outer: { line: number; end: number }) =>
    inner !== outer && inner.line > outer.line && inner.end <= outer.end;
  return found.map(({ end, ...one }) => {
    const outer = { line: one.line, end };
    const within = declared.filter((inner) => isIn(inner, outer));
    const outermost = within.filter((inner) => !within.some((other) => isIn(inner, other)));
    return { ...one, ownLines: one.lines - outermost.reduce((sum, inner) => sum + inner.lines, 0) };
  });
}
