import { role } from '@quayside/contract/http/policy'
import type { UiConfig } from '@quayside/contract/http/ui-config'
import type { Section } from '@quayside/contract/permissions/roles'
import type { Icon } from '@tabler/icons-react'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconBoxMultiple from '@tabler/icons-react/dist/esm/icons/IconBoxMultiple.mjs'
import IconCircuitGround from '@tabler/icons-react/dist/esm/icons/IconCircuitGround.mjs'
import IconGitMerge from '@tabler/icons-react/dist/esm/icons/IconGitMerge.mjs'
import IconHome from '@tabler/icons-react/dist/esm/icons/IconHome.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { holdsRole } from '../api/permissions/my-scopes.ts'
import type { AccessToken } from '../lib/access-token.ts'
import { isOn } from '../lib/runtime-config.ts'

/** One row of the main navigation. */
interface NavigationEntry {
  section: '' | 'MANAGE' | 'CATALOG' | 'INFRASTRUCTURE' | 'IDENTITY & ACCESS'
  name: string
  /** Below the base path. */
  state: string
  type: 'routerlink'
  icon: Icon
  /** The section on whose client the role 'access' is needed. */
  client?: Section | undefined
  /** Shown disabled unless this flag is on. */
  flag?: string
  /** Has no page in this version. */
  absent?: boolean
}

const entry = (
  section: NavigationEntry['section'],
  name: string,
  state: string,
  icon: Icon,
  client?: Section,
  more: Pick<NavigationEntry, 'flag' | 'absent'> = {},
): NavigationEntry => ({ section, name, state, type: 'routerlink', icon, client, ...more })

export const navigation: readonly NavigationEntry[] = [
  entry('', 'Home', 'home', IconHome),
  entry('MANAGE', 'Apps', 'apps', IconApps, 'apps'),
  entry('MANAGE', 'Spaces', 'spaces', IconBoxMultiple, 'spaces'),
  entry('MANAGE', 'Dashboards', 'dashboards', IconLayoutDashboard, 'dashboards'),
  entry('CATALOG', 'Apps', 'catalog/apps', IconPackage, 'catalog-apps'),
  entry('CATALOG', 'Nodes', 'catalog/nodes', IconCircuitGround, 'catalog-nodes', {
    flag: 'nodescatalog',
    absent: true,
  }),
  entry('CATALOG', 'Flows', 'catalog/flows', IconGitMerge, 'catalog-flows', { flag: 'nodescatalog', absent: true }),
  entry('INFRASTRUCTURE', 'Clusters', 'clusters', IconServer2, 'clusters'),
  entry('IDENTITY & ACCESS', 'Users', 'users', IconUser, 'iam-users'),
  entry('IDENTITY & ACCESS', 'Groups', 'groups', IconUsers, 'iam-groups'),
  entry('IDENTITY & ACCESS', 'Roles', 'roles', IconKey, 'iam-roles'),
  entry('IDENTITY & ACCESS', 'Policies', 'policies', IconShieldCheck, 'iam-policies'),
  entry('IDENTITY & ACCESS', 'Login Settings', 'login-settings', IconLogin2, 'iam-loginsettings'),
]

/** An entry as one person sees it. */
export interface ShownEntry extends NavigationEntry {
  disable: boolean
}

/** The navigation by section, without what the person may not open. */
export function navigationFor(config: UiConfig, token: AccessToken): { title: string; entries: ShownEntry[] }[] {
  const visible = navigation.filter(
    ({ section, client }) =>
      (section !== 'IDENTITY & ACCESS' || isOn(config.flags, 'accesssection')) &&
      (client === undefined || holdsRole(token, role(client, 'access'))),
  )
  return [...new Set(visible.map(({ section }) => section))].map((title) => ({
    title,
    entries: visible
      .filter(({ section }) => section === title)
      .map((one) => ({
        ...one,
        disable: one.absent === true || (one.flag !== undefined && !isOn(config.flags, one.flag)),
      })),
  }))
}
