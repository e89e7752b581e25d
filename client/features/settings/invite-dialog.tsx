import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { ROLES, type Role } from "#shared/roles.ts";
import { isUnanswered, refusalOf, trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { Dialog } from "../../ui/dialog.tsx";
import { roleWord } from "../../ui/state-words.tsx";
import styles from "./operators.module.css";
import type { IssuedLink } from "./link-dialog.tsx";

const ROLE_MEANING: Record<Role, () => string> = {
  support: m.role_support_meaning,
  ops: m.role_ops_meaning,
  finance: m.role_finance_meaning,
  admin: m.role_admin_meaning,
};

interface InviteDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onIssued: (link: IssuedLink) => void;
}

export function InviteDialog({ isOpen, onClose, onIssued }: InviteDialogProps) {
  const formId = useId();
  const form = useForm<{ email: string; name: string; role: Role }>({
    initialValues: { email: "", name: "", role: "support" },
    validate: {
      email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : m.email_needed()),
      name: (name) => (name.trim() === "" ? m.name_needed() : null),
    },
  });
  const invite = useMutation({
    ...trpc.operators.invite.mutationOptions(),
    onSuccess: (issued) => {
      form.reset();
      onIssued(issued);
    },
  });

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={m.invite_title()}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel()}</Button>
          <Button type="submit" form={formId} variant="filled" loading={invite.isPending}>
            {m.invite_submit()}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>{m.invite_lead()}</p>
      <form
        id={formId}
        className={styles.form}
        noValidate
        onSubmit={form.onSubmit((values) => invite.mutate({ ...values, email: values.email.trim() }))}
      >
        <TextInput
          label={m.field_email()}
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("email")}
        />
        <TextInput
          label={m.field_name()}
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps("name")}
        />
        <NativeSelect
          label={m.field_role()}
          description={ROLE_MEANING[form.values.role]()}
          inputWrapperOrder={["label", "input", "description"]}
          data={ROLES.map((role) => ({ value: role, label: roleWord(role) }))}
          {...form.getInputProps("role")}
        />
      </form>
      <div role="alert">
        {invite.isError && <p className={styles.problem}>{inviteProblem(invite.error)}</p>}
      </div>
    </Dialog>
  );
}

function inviteProblem(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal) return m.refused_text(refusal);
  return isUnanswered(error) ? m.error_unreachable() : m.error_server();
}
