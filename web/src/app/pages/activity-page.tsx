import { useMay } from '../../api/permissions/my-scopes.ts'
import { AuditLog } from '../../features/audit/audit-log.tsx'
import { LedgerPage } from '../../features/deployments/ledger/ledger-page.tsx'
import { WebhookList } from '../../features/webhooks/webhook-list.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'

/**
 * Actions on apps, spaces and clusters; for who may see it, everything else that was changed, and who is told outside of the
 * portal.
 */
export function ActivityWithAudit() {
  const may = useMay()
  const tabs = [
    { ...{ value: 'actions', title: 'Actions', isOpen: true }, panel: <LedgerPage /> },
    { ...{ value: 'audit', title: 'Audit log', isOpen: may('audit.see') === true }, panel: <AuditLog /> },
    { ...{ value: 'webhooks', title: 'Webhooks', isOpen: may('webhooks.manage') === true }, panel: <WebhookList /> },
  ].filter(({ isOpen }) => isOpen)
  return tabs.length === 1 ? <LedgerPage /> : <UrlTabs label="Actions, audit log and webhooks" tabs={tabs} />
}
