import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { OperatorView } from "#shared/desk-views.ts";
import { OUTCOMES } from "#shared/outcomes.ts";
import { hasPermission } from "#shared/roles.ts";
import { useDesk } from "../../app/desk.tsx";
import { usePauseWhile } from "../../app/live.tsx";
import { isForbidden, isUnanswered, trpc } from "../../app/trpc.ts";
import { m } from "../../messages/generated/messages.js";
import { Clock } from "../../ui/clock.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { type IssuedLink, LinkDialog } from "./link-dialog.tsx";
import { operatorColumns } from "./operator-columns.tsx";

const rowKey = (operator: OperatorView) => operator.id;

/** Who may work on this desk, and the links by which new people join. */
export function OperatorsPage() {
  const { operator } = useDesk();
  const mayManage = hasPermission(operator.role, "manage_operators");
  const queryClient = useQueryClient();
  const list = useQuery(trpc.operators.list.queryOptions());
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<IssuedLink | null>(null);
  usePauseWhile(isInviting || link !== null);

  const showLink = (issued: IssuedLink) => {
    setInviting(false);
    setLink(issued);
    void queryClient.invalidateQueries(trpc.operators.list.queryFilter());
  };
  const { mutate: reissue, isPending } = useMutation({
    ...trpc.operators.reissueInvitation.mutationOptions(),
    onSuccess: showLink,
  });
  const columns = useMemo(
    () => operatorColumns({ mayManage, isBusy: isPending, onReissue: (id) => reissue({ operatorId: id }) }),
    [mayManage, isPending, reissue],
  );

  return (
    <Clock serverNow={undefined} receivedAt={0}>
      <PageHeader
        title={m.operators_title()}
        actions={
          mayManage && (
            <Button variant="filled" onClick={() => setInviting(true)}>
              {m.operators_invite()}
            </Button>
          )
        }
      >
        {m.operators_lead()}
      </PageHeader>
      <div style={{ height: 18 }} />
      {isForbidden(list.error) ? (
        <EmptyState title={OUTCOMES.role_not_allowed.label}>{m.operators_forbidden()}</EmptyState>
      ) : list.isError && list.data === undefined ? (
        <ErrorState
          title={m.operators_error()}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        >
          {isUnanswered(list.error) ? m.error_unreachable() : m.error_server()}
        </ErrorState>
      ) : (
        <DataTable
          caption={m.operators_title()}
          columns={columns}
          rows={list.data}
          rowKey={rowKey}
          skeletonRows={4}
          empty={<EmptyState title={m.operators_none()}>{m.operators_none_text()}</EmptyState>}
        />
      )}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} onIssued={showLink} />
      <LinkDialog link={link} onClose={() => setLink(null)} />
    </Clock>
  );
}
