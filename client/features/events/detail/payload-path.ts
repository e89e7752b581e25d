const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

/** The path of a member below `path`, as code would write it: `data.object.lines[0]["odd key"]`. */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!PLAIN_NAME.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
