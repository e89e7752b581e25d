import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../package-root.ts";

export interface EinmalProcess {
  pid: number;
  /** Everything it has said so far, on both outputs. */
  output: () => string;
  /** Resolves once it has said this; rejects if it ends without. */
  says: (text: string) => Promise<void>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill: (signal: NodeJS.Signals) => void;
}

const ANNOUNCED = "Stop it with Ctrl-C.";

/** Where to start from: the sources, unless a built file is named. */
export interface Program {
  main?: string;
}

/** Starts Einmal as its own process, with nothing of this environment but the path. */
export function spawnEinmal(env: NodeJS.ProcessEnv, { main }: Program = {}): EinmalProcess {
  const args = main === undefined ? ["--import", "tsx", join(packageRoot(), "server/main.ts")] : [main];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    cwd: packageRoot(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("The process could not be started.");
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const { output, says } = listenTo(child);
  return { pid, output, says, ended, kill: (signal) => child.kill(signal) };
}

/** Starts it and waits until it is there. */
export async function startedEinmal(env: NodeJS.ProcessEnv, program: Program = {}): Promise<EinmalProcess> {
  const einmal = spawnEinmal(env, program);
  await einmal.says(ANNOUNCED);
  return einmal;
}

function listenTo(child: ChildProcess): Pick<EinmalProcess, "output" | "says"> {
  let output = "";
  let waiting: { text: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  const look = () => {
    for (const { text, resolve } of waiting) if (output.includes(text)) resolve();
    waiting = waiting.filter(({ text }) => !output.includes(text));
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      look();
    });
  }
  child.once("close", () => {
    for (const { text, reject } of waiting) {
      reject(new Error(`Einmal ended without saying "${text}". It said:\n${output}`));
    }
    waiting = [];
  });
  return {
    output: () => output,
    says: (text) =>
      new Promise((resolve, reject) => {
        waiting.push({ text, resolve, reject });
        look();
      }),
  };
}
