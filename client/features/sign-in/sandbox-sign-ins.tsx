import type { BootFacts } from "../../app/boot-facts.ts";
import { m } from "../../messages/generated/messages.js";
import styles from "./gate.module.css";

interface SandboxSignInsProps {
  signIns: NonNullable<BootFacts["signIns"]>;
  onFill: (credentials: { email: string; password: string }) => void;
}

/** The sandbox's four made-up operators, each to be filled in with one click. */
export function SandboxSignIns({ signIns, onFill }: SandboxSignInsProps) {
  return (
    <div className={styles.sandbox}>
      <p>{m.sandbox_sign_ins()}</p>
      <div className={styles.fills}>
        {signIns.map(({ email, password, role }) => (
          <button
            key={email}
            type="button"
            className={styles.fill}
            onClick={() => onFill({ email, password })}
          >
            <b>{role}</b>
            <span>{email}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
