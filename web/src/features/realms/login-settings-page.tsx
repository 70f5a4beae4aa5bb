import { useGuard } from '../../api/permissions/my-scopes.ts'
import {
  useBruteForceDetection,
  useEventSettings,
  useLoginSettings,
  useSecurityHeaders,
  useTokenSettings,
} from '../../api/realms/realms.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { openTab, type UrlTab, UrlTabs } from '../../ui/layout/url-tabs.tsx'
import columns from '../../ui/lists/columns.module.css'
import { eventTable } from './event-table.ts'
import { headerTable } from './header-table.ts'
import { bruteForceTable, loginTable } from './login-tables.ts'
import { MailSettingsPanel } from './mail-settings.tsx'
import { Outbox } from './outbox.tsx'
import { RequiredActions } from './required-actions.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { tokenTable } from './token-table.ts'

interface Props {
  /** Tabs beside the settings, for who may open them. */
  tabs: readonly UrlTab[]
}

const mailTab: UrlTab = {
  ...{ value: 'mail', title: 'E-mail' },
  panel: (
    <div className={columns.stack}>
      <MailSettingsPanel />
      <Outbox />
    </div>
  ),
}

/** How people sign in, and what stands beside it on tabs of its own. */
export function LoginSettingsPage({ tabs }: Props) {
  usePageTitle('Login Settings')
  const [{ tab }] = useUrlState()
  const all = [{ value: 'settings', title: 'Settings', panel: <Settings /> }, mailTab, ...tabs]
  return (
    <>
      <PageHeader title={openTab(all, tab) === mailTab ? 'E-mail' : 'Login Settings'} />
      <UrlTabs label="About signing in" tabs={all} />
    </>
  )
}

/** How people sign in, how guessing is slowed down, what the sign-in pages tell browsers, and what is kept of it. */
function Settings() {
  const guard = useGuard()
  const [login, bruteForce, headers] = [useLoginSettings(), useBruteForceDetection(), useSecurityHeaders()]
  const [events, tokens] = [useEventSettings(), useTokenSettings()]
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
        title="Personal tokens"
        about="People make tokens for their scripts in their account. A token has its owner's current permissions, or fewer."
        table={tokenTable}
        part={tokens}
        right={guard('login-settings.edit', 'change whether people may have personal tokens')}
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
