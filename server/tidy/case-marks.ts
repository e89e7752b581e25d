import { type ESTree, parseSync, Visitor } from "vite";

/** A test that proves a case of docs/cases.md, as the comment beside it says. */
export interface CaseMark {
  /** Such as `C33`. */
  caseId: string;
  path: string;
  /** What the test is called, as it stands in the source. */
  title: string;
}

interface TitledCall {
  title: string;
  start: number;
  end: number;
}

const CASE_ID = /\bC\d{2}\b/g;
/** Between a mark and its test there may be white space and further lines of comment. */
const NOTHING_BUT_COMMENTS = /^(?:\s|\/\/[^\n]*)*$/;

/**
 * The cases that a file's comments name, each with the test it stands above, or else in. Throws where it stands
 * beside no test: a mark that proves nothing is worse than none.
 */
export function caseMarksIn(path: string, text: string): CaseMark[] {
  const { program, comments, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);
  const calls = titledCallsIn(program, text);
  return comments.flatMap((comment) => {
    const caseIds = comment.value.match(CASE_ID) ?? [];
    return caseIds.map((caseId) => {
      const call = callBelow(calls, { text, end: comment.end }) ?? callAround(calls, comment);
      if (!call) throw new Error(`${path} names ${caseId} beside no test.`);
      return { caseId, path, title: call.title };
    });
  });
}

function callBelow(calls: readonly TitledCall[], { text, end }: { text: string; end: number }) {
  const next = calls.filter((call) => call.start >= end).toSorted((a, b) => a.start - b.start)[0];
  return next && NOTHING_BUT_COMMENTS.test(text.slice(end, next.start)) ? next : undefined;
}

function callAround(calls: readonly TitledCall[], { start, end }: { start: number; end: number }) {
  const around = calls.filter((call) => call.start < start && call.end > end);
  return around.toSorted((a, b) => b.start - a.start)[0];
}

/** Calls of test() and describe(), and of what test.for() and its like make of them, that begin with a title. */
function titledCallsIn(program: ESTree.Program, text: string): TitledCall[] {
  const calls: TitledCall[] = [];
  new Visitor({
    CallExpression: (node) => {
      const title = node.arguments[0];
      const isText =
        title?.type === "TemplateLiteral" || (title?.type === "Literal" && typeof title.value === "string");
      if (!title || !isText || !isOfTests(node.callee)) return;
      calls.push({ title: text.slice(title.start + 1, title.end - 1), start: node.start, end: node.end });
    },
  }).visit(program);
  return calls;
}

function isOfTests(callee: ESTree.Expression): boolean {
  if (callee.type === "Identifier") return callee.name === "test" || callee.name === "describe";
  if (callee.type === "MemberExpression") return isOfTests(callee.object);
  return callee.type === "CallExpression" && isOfTests(callee.callee);
}
