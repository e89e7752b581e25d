import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * What tells one process from a later one that was given the same number: its start, on this boot of the
 * machine. null if there is no such process, or only its unburied remains (a zombie answers signals for ever).
 */
export function processIdentity(pid: number): string | null {
  return process.platform === "linux" ? identityByProc(pid) : identityByPs(pid);
}

/** The command line of a process, or '' if there is none. */
export function commandLine(pid: number): string {
  try {
    return process.platform === "linux"
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
      : ps(pid, "command");
  } catch {
    return "";
  }
}

/** Waits until the process is gone; false if it is still there after `seconds`. */
export async function waitForEnd(pid: number, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (processIdentity(pid) !== null) {
    if (performance.now() > deadline) return false;
    await delay(25);
  }
  return true;
}

function identityByProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name stands in brackets and may hold spaces and brackets itself: count after the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === "Z" || state === "X" || startTicks === undefined) return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${startTicks}`;
  } catch {
    return null;
  }
}

function identityByPs(pid: number): string | null {
  try {
    const started = ps(pid, "lstart");
    return started === "" || ps(pid, "state").startsWith("Z") ? null : started;
  } catch {
    return null;
  }
}

function ps(pid: number, column: string): string {
  return execFileSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8" }).trim();
}
