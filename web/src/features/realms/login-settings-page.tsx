import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import {
  useBruteForceDetection,
  useEventSettings,
  useLoginSettings,
  useSecurityHeaders,
} from '../../api/realms/realms.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { TabList } from '../../ui/layout/tab-list.tsx'
import columns from '../../ui/lists/columns.module.css'
import { eventTable } from './event-table.ts'
import { headerTable } from './header-table.ts'
import { bruteForceTable, loginTable } from './login-tables.ts'
import { MailSettingsPanel } from './mail-settings.tsx'
import { Outbox } from './outbox.tsx'
import { RequiredActions } from './required-actions.tsx'
import { SettingsPanel } from './settings-panel.tsx'

interface Tab {
  id: string
  title: string
  draw: () => ReactNode
}

interface Props {
  /** Tabs beside the settings, for who may open them. */
  tabs: readonly Tab[]
}

const mailTab: Tab = {
  ...{ id: 'mail', title: 'E-mail' },
  draw: () => (
    <div className={columns.stack}>
      <MailSettingsPanel />
      <Outbox />
    </div>
  ),
}

/** How people sign in, and what stands beside it on tabs of its own. */
export function LoginSettingsPage({ tabs }: Props) {
  usePageTitle('Login Settings')
  const [{ tab }, setUrl] = useUrlState()
  const all: readonly Tab[] = [{ id: 'settings', title: 'Settings', draw: () => <Settings /> }, mailTab, ...tabs]
  const current = all.some(({ id }) => id === tab) ? tab : 'settings'
  const open = (next: string | null) => {
    const narrowed = { q: '', status: '', type: '', who: '', client: '', since: '', operation: '', kind: '', skip: '' }
    setUrl({ ...narrowed, tab: next === 'settings' ? '' : (next ?? '') })
  }
  return (
    <>
      <PageHeader title={current === 'mail' ? 'E-mail' : 'Login Settings'} />
      <Tabs value={current ?? 'settings'} onChange={open} keepMounted={false}>
        <TabList value={current} label="About signing in">
          {all.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </TabList>
        {all.map(({ id, draw }) => (
          <Tabs.Panel key={id} value={id}>
            {draw()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

/** How people sign in, how guessing is slowed down, what the sign-in pages tell browsers, and what is kept of it. */
function Settings() {
  const guard = useGuard()
  const [login, bruteForce, headers] = [useLoginSettings(), useBruteForceDetection(), useSecurityHeaders()]
  const events = useEventSettings()
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
      <SettingsPanel
        title="Events"
        about="What the identity server keeps of sign-ins and changes, and for how long."
        table={eventTable}
        part={events}
        right={guard('events.settings', 'change which events are kept')}
      />
      <RequiredActions />
    </div>
  )
}
