import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "#shared/desk-inputs.ts";
import { PATHS } from "../../app/paths.ts";
import { signIn } from "../../app/session.ts";
import { isUnanswered, refusalOf, trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { GateProblem } from "./gate.tsx";
import styles from "./gate.module.css";

interface AcceptFormProps {
  token: string;
  /** The address the link was made for; null for the first admin, who types one. */
  email: string | null;
}

/** Turns a one-time link into an operator and signs them in. */
export function AcceptForm({ token, email }: AcceptFormProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const accept = useMutation(trpc.operators.acceptInvitation.mutationOptions());
  const form = useForm({
    initialValues: { email: email ?? "", name: "", password: "" },
    validate: {
      email: (value) => (value.includes("@") ? null : m.email_needed()),
      name: (name) => (name.trim() === "" ? m.name_needed() : null),
      password: (password) =>
        password.length < PASSWORD_LENGTH_MIN ? m.password_short({ min: PASSWORD_LENGTH_MIN }) : null,
    },
  });

  const submit = form.onSubmit(async ({ name, password, ...typed }) => {
    const address = email === null ? { email: typed.email } : {};
    try {
      await accept.mutateAsync({ token, name, password, ...address });
    } catch {
      // Drawn from the mutation's own error below.
      return;
    }
    const result = await signIn({ email: typed.email.trim().toLowerCase(), password });
    queryClient.clear();
    router.history.replace(result === "signed_in" ? PATHS.home : PATHS.signIn);
  });

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label={m.field_email()}
        type="email"
        autoComplete="username"
        readOnly={email !== null}
        {...form.getInputProps("email")}
      />
      <TextInput label={m.field_name()} autoComplete="name" maxLength={100} {...form.getInputProps("name")} />
      <PasswordInput
        label={m.field_new_password()}
        description={m.password_rule({ min: PASSWORD_LENGTH_MIN })}
        inputWrapperOrder={["label", "input", "description", "error"]}
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH_MAX}
        visibilityToggleButtonProps={{ "aria-label": m.password_show(), tabIndex: 0 }}
        {...form.getInputProps("password")}
      />
      <GateProblem>{accept.isError ? acceptProblem(accept.error) : null}</GateProblem>
      <Button type="submit" variant="filled" loading={form.submitting} fullWidth>
        {m.welcome_accept()}
      </Button>
    </form>
  );
}

function acceptProblem(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal) return m.refused_text(refusal);
  return isUnanswered(error) ? m.sign_in_unreachable() : m.error_server();
}
