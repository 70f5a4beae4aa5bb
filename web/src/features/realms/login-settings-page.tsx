import { Tabs } from '@mantine/core'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useBruteForceDetection, useLoginSettings, useSecurityHeaders } from '../../api/realms/realms.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { TabList } from '../../ui/layout/tab-list.tsx'
import columns from '../../ui/lists/columns.module.css'
import { headerTable } from './header-table.ts'
import { bruteForceTable, loginTable } from './login-tables.ts'
import { MailSettingsPanel } from './mail-settings.tsx'
import { Outbox } from './outbox.tsx'
import { RequiredActions } from './required-actions.tsx'
import { SettingsPanel } from './settings-panel.tsx'

/** How people sign in, how guessing is slowed down, what the sign-in pages tell browsers, and how mail is sent. */
export function LoginSettingsPage() {
  usePageTitle('Login Settings')
  const [{ tab }, setUrl] = useUrlState()
  const current = tab === 'mail' ? tab : 'settings'
  return (
    <Tabs
      value={current}
      onChange={(next) => setUrl({ tab: next === 'mail' ? next : '', q: '', status: '', skip: '' })}
      keepMounted={false}
    >
      <TabList value={current} label="Login settings and e-mail">
        <Tabs.Tab value="settings">Settings</Tabs.Tab>
        <Tabs.Tab value="mail">E-mail</Tabs.Tab>
      </TabList>
      <Tabs.Panel value="settings">
        <PageHeader title="Login Settings" />
        <SignInSettings />
      </Tabs.Panel>
      <Tabs.Panel value="mail">
        <PageHeader title="E-mail" />
        <div className={columns.stack}>
          <MailSettingsPanel />
          <Outbox />
        </div>
      </Tabs.Panel>
    </Tabs>
  )
}

function SignInSettings() {
  const guard = useGuard()
  const [login, bruteForce, headers] = [useLoginSettings(), useBruteForceDetection(), useSecurityHeaders()]
  return (
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
  )
}
