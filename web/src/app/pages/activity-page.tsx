import { useMay } from '../../api/permissions/my-scopes.ts'
import { AuditLog } from '../../features/audit/audit-log.tsx'
import { LedgerPage } from '../../features/deployments/ledger/ledger-page.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'

/** Actions on apps, spaces and clusters, and for who may see it everything else that was changed. */
export function ActivityWithAudit() {
  if (useMay()('audit.see') !== true) return <LedgerPage />
  return (
    <UrlTabs
      label="Actions and audit log"
      tabs={[
        { value: 'actions', title: 'Actions', panel: <LedgerPage /> },
        { value: 'audit', title: 'Audit log', panel: <AuditLog /> },
      ]}
    />
  )
}
