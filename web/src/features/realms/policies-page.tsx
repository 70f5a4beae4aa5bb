import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useOtpPolicy } from '../../api/realms/realms.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import columns from '../../ui/lists/columns.module.css'
import { otpTable } from './otp-table.ts'
import { PasswordPolicy } from './password-policy.tsx'
import { SettingsPanel } from './settings-panel.tsx'

/** Rules for new passwords and for one-time codes. */
export function PoliciesPage() {
  usePageTitle('Policies')
  const guard = useGuard()
  const otp = useOtpPolicy()
  return (
    <>
      <PageHeader title="Policies" />
      <div className={columns.stack}>
        <PasswordPolicy />
        <SettingsPanel
          title="One-time codes"
          about="Codes of authenticator apps, as a second factor. A change counts for devices that are set up from now on; those that people have keep their own codes."
          table={otpTable}
          part={otp}
          right={guard('one-time-codes.edit', 'change how one-time codes are made')}
        />
      </div>
    </>
  )
}
