import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { bootFactsQuery } from "../../app/boot-facts.ts";
import { PATHS } from "../../app/paths.ts";
import { type SignInResult, signIn } from "../../app/session.ts";
import { m } from "../../messages/generated/messages.js";
import { Gate, GateProblem } from "./gate.tsx";
import styles from "./gate.module.css";
import { SandboxSignIns } from "./sandbox-sign-ins.tsx";

const route = getRouteApi("/sign-in");

const PROBLEM: Record<Exclude<SignInResult, "signed_in">, () => string> = {
  wrong_credentials: m.sign_in_wrong,
  rate_limited: m.sign_in_limited,
  origin_refused: m.sign_in_origin,
  unreachable: m.sign_in_unreachable,
};

export function SignInPage() {
  const { next } = route.useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  const boot = useQuery(bootFactsQuery);
  const [problem, setProblem] = useState<Exclude<SignInResult, "signed_in"> | null>(null);
  const form = useForm({
    initialValues: { email: "", password: "" },
    validate: {
      email: (email) => (email.includes("@") ? null : m.email_needed()),
      password: (password) => (password === "" ? m.password_needed() : null),
    },
  });

  const submit = form.onSubmit(async (credentials) => {
    setProblem(null);
    const result = await signIn(credentials);
    if (result !== "signed_in") {
      setProblem(result);
      return;
    }
    // Whatever the session before was shown or refused says nothing about this one.
    queryClient.clear();
    router.history.replace(next ?? PATHS.home);
  });

  return (
    <Gate
      title={m.sign_in_title()}
      lead={boot.data?.mode === "sandbox" ? m.sign_in_lead_sandbox() : m.sign_in_lead()}
      foot={boot.data && m.version({ version: boot.data.version })}
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextInput
          label={m.field_email()}
          type="email"
          autoComplete="username"
          data-autofocus
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label={m.field_password()}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": m.password_show(), tabIndex: 0 }}
          {...form.getInputProps("password")}
        />
        <GateProblem>{problem === null ? null : PROBLEM[problem]()}</GateProblem>
        <Button type="submit" variant="filled" loading={form.submitting} fullWidth>
          {m.sign_in()}
        </Button>
      </form>
      {boot.data?.mode === "sandbox" && boot.data.signIns && (
        <SandboxSignIns signIns={boot.data.signIns} onFill={(values) => form.setValues(values)} />
      )}
    </Gate>
  );
}
