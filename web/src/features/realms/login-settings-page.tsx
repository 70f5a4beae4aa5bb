import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useBruteForceDetection, useLoginSettings, useSecurityHeaders } from '../../api/realms/realms.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import columns from '../../ui/lists/columns.module.css'
import { headerTable } from './header-table.ts'
import { bruteForceTable, loginTable } from './login-tables.ts'
import { RequiredActions } from './required-actions.tsx'
import { SettingsPanel } from './settings-panel.tsx'

/** How people sign in, how guessing is slowed down, and what the sign-in pages tell browsers. */
export function LoginSettingsPage() {
  usePageTitle('Login Settings')
  const guard = useGuard()
  const [login, bruteForce, headers] = [useLoginSettings(), useBruteForceDetection(), useSecurityHeaders()]
  return (
    <>
      <PageHeader title="Login Settings" />
      <div className={columns.stack}>
        <SettingsPanel
          title="Signing in"
          about="How people of this tenant sign in, and how long they stay signed in."
          table={loginTable}
          part={login}
          right={guard('login-settings.edit', 'change how people sign in')}
        />
        <SettingsPanel
          title="Brute force detection"
          about="Accounts are locked for a while after many wrong passwords. The page Users shows lockouts and lifts them."
          table={bruteForceTable}
          part={bruteForce}
          right={guard('login-settings.edit', 'change brute force detection')}
        />
        <SettingsPanel
          title="Security headers"
          about="Sent to browsers with the sign-in pages. An empty one is not sent."
          table={headerTable}
          part={headers}
          right={guard('login-settings.edit', 'change the headers of the sign-in pages')}
        />
        <RequiredActions />
      </div>
    </>
  )
}
