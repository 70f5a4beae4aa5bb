import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueryClient } from '../lib/query-client.ts'
import { drawInPortal } from '../testing/portal.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/**
 * Modules of `web/src/api` with their changes, and the keys of what is read again after them or is no longer kept: a change that is not
 * here, or refreshes less than it says here, leaves a page with what was. Changes without a key keep nothing that is read.
 */
const changes: readonly (readonly [module: string, names: string, keys: string])[] = [
  ['account', 'useSignOutEverywhere useAskAtSignIn', ''],
  ['account', 'useUpdateAccount', 'account'],
  ['account', 'useRemovePasskey', 'account credentials'],
  ['account', 'useUnlinkIdentity', 'account identities'],
  ['account', 'useEndSession', 'account sessions'],
  ['account', 'useRevokeConsent', 'account consents'],
  ['account', 'useSetCurrency', 'account currency'],
  ['app-links', 'useSaveAppLink useDeleteAppLink', 'app-links'],
  ['app', 'useChangeApp', 'apps'],
  ['catalog/items', 'useSetFeatured useDeleteItem', 'catalog'],
  ['catalog/sources', 'useSaveSource useDeleteSource useSynchronise', 'catalog, catalog-sources'],
  ['catalog/sources', 'useTestSource', ''],
  ['clients', 'useCreateClient useDeleteClient useCreateApplication useUpdateClient useRenewSecret', 'clients'],
  ['clients', 'useDeleteApplication', 'clients, clients one x'],
  ['clusters/cluster-rules', 'useAddRule useRemoveRule', 'clusters rules x'],
  ['clusters/cluster-rules', 'useAnswerApproval useEndApproval', 'approvals'],
  ['clusters/cluster-rules', 'useChangeSpaceOn', 'clusters spaces x'],
  ['clusters/cluster', 'useAddCluster', 'clusters'],
  ['clusters/cluster', 'useDeregisterCluster', 'actions, clusters'],
  ['clusters/kubeconfigs', 'useEndKubeconfig', 'kubeconfigs'],
  ['clusters/outside-needs', 'useAskApproval', 'approvals'],
  ['clusters/scaling', 'useChangeWorkload', 'actions, apps, workloads x'],
  ['clusters/scaling', 'useResizePool', 'clusters'],
  [
    'dashboards/dashboards',
    'useCreateDashboard useSaveDashboard useDeleteDashboard useRestoreDashboard useTakeOverDashboard useStarDashboard useAddDashboardPermission useChangeDashboardPermission useRemoveDashboardPermission useKeepWidget useRemoveWidget useSaveConfiguration useDeleteConfiguration',
    'dashboards',
  ],
  ['cost/budget', 'useSetBudget', 'cost'],
  ['cost/prices', 'useSetPrices useSetRates', 'cost'],
  ['dashboards/dashboard-changes', 'useDashboardChange', 'dashboards'],
  ['dashboards/home', 'useChooseHome', 'dashboards'],
  ['deployments/ledger', 'useRetryAction', 'actions'],
  ['deployments/presets', 'useAddPreset useRenamePreset useDeletePreset', 'presets x'],
  ['groups', 'useCreateGroup useUpdateGroup useDeleteGroup useMoveGroup useChangeDefaultGroup', 'groups'],
  ['sidebar', 'useDeleteGroup useAddGroup useRenameGroup useAddEntry useDeleteEntries useOrderEntries', 'menu'],
  ['notifications/notifications', 'useMarkNotice useReadNotices', 'inbox'],
  ['notifications/notifications', 'useSetSubscriptions', 'inbox, subscriptions'],
  ['permissions/access-requests', 'useAsk useAnswer useWithdraw useEndRoleGrant', 'explain, requests, spaces'],
  ['permissions/permissions', 'useAddPermission useChangePermission useRemovePermission', 'explain, spaces'],
  ['permissions/space-roles', 'useSaveSpaceRole useDeleteSpaceRole', 'explain, space-roles, spaces'],
  ['personal-tokens', 'useCreateToken useDeleteToken', 'account tokens'],
  ['personal-tokens', 'useDeleteTokenOf', 'users one x tokens'],
  [
    'realms/identity-providers',
    'useCreateProvider useUpdateProvider useDeleteProvider useOrderProviders useCreateMapping useDeleteMapping',
    'identity providers',
  ],
  ['realms/identity-providers', 'useDiscovery useTestProvider', ''],
  ['realms/mail', 'useSaveMailSettings', 'mail settings'],
  ['realms/mail', 'useTestMail useMakeLink', ''],
  ['realms/mail', 'useSendMail', 'mail outbox'],
  [
    'roles',
    'useCreateRole useUpdateRole useDeleteRole useChangeParts useChangeDefaultRoles useChangeClientDefaultRoles useSaveClientRole useDeleteClientRole',
    'role-mappings, roles',
  ],
  ['space', 'useSaveSpace useFreezeSpace useDeleteSpace', 'spaces'],
  ['users/lockouts', 'useUnlock', 'lockouts'],
  [
    'users/user-credentials',
    'useResetPassword useDeleteCredential useRemoveLink useMailActions useEndSessions',
    'users one x',
  ],
  ['users/users', 'useCreateUser', 'users'],
  ['users/users', 'useUpdateUser useDeleteUser', 'users, users one x'],
  ['users/users', 'useChangeMembership', 'groups, role-mappings, users one x'],
  ['webhooks', 'useSaveWebhook useSwitchWebhook useDeleteWebhook useTestWebhook', 'webhooks'],
]

/** Hooks that go on until an action has ended: they have tests of their own. */
const followed = new Set(['useRepairToTheEnd'])

/** Stands for whatever a hook is given or answered: each part of it is the same again, and as a text it is `x`. */
const anything: never = new Proxy(() => undefined, {
  get: (target, name) => {
    if (name === Symbol.toPrimitive || name === 'toJSON' || name === 'toString') return () => 'x'
    if (name === Symbol.iterator) return () => [][Symbol.iterator]()
    if (name === 'then') return undefined
    return name === 'prototype' ? target.prototype : anything
  },
  apply: () => anything,
}) as never

type Hook = (...args: never[]) => unknown
interface Change {
  mutateAsync(input: unknown): Promise<unknown>
}
const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'mutateAsync' in value

const modules = import.meta.glob<Record<string, unknown>>(
  ['../api/**/*.ts', '../api/**/*.tsx', '!../api/**/*.test.*'],
  {
    eager: true,
  },
)
const hooks = Object.entries(modules).flatMap(([file, module]) =>
  Object.entries(module).flatMap(([name, hook]) =>
    /^use[A-Z]/.test(name) && !followed.has(name)
      ? [{ module: file.replace(/^\.\.\/api\/|\.tsx?$/g, ''), name, hook: hook as Hook }]
      : [],
  ),
)

const told = (key: unknown) => (JSON.parse(JSON.stringify(key ?? ['everything'])) as string[]).join(' ')

/** Keys of what a change has read again or no longer keeps; undefined for a hook that changes nothing. */
async function touchedBy(hook: Hook): Promise<string | undefined> {
  vi.stubGlobal('fetch', async () => Response.json({ data: [] }))
  const queries = createQueryClient()
  let made: unknown
  let isDrawn = false
  const Caller = () => {
    try {
      made = hook(anything, anything, anything)
    } catch {
      // A hook that needs a real thing reads it: changes take whatever they are given.
    }
    isDrawn = true
    return null
  }
  drawInPortal(<Caller />, { queries })
  await waitFor(() => expect(isDrawn).toBe(true))
  const touched = new Set<string>()
  if (isChange(made)) {
    const note = (filters?: { queryKey?: unknown }) => void touched.add(told(filters?.queryKey))
    vi.spyOn(queries, 'invalidateQueries').mockImplementation(async (filters) => note(filters))
    vi.spyOn(queries, 'refetchQueries').mockImplementation(async (filters) => note(filters))
    vi.spyOn(queries, 'removeQueries').mockImplementation(note)
    vi.spyOn(queries, 'setQueryData').mockImplementation((queryKey) => note({ queryKey }) as never)
    // One that chooses its call by what it is given makes none, and ends all the same.
    await made.mutateAsync(anything).catch(() => undefined)
  }
  cleanup()
  return isChange(made) ? [...touched].sort().join(', ') : undefined
}

it('each change has what it changes read again', { timeout: 180_000 }, async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const found: string[] = []
  for (const { module, name, hook } of hooks) {
    const keys = await touchedBy(hook)
    if (keys !== undefined) found.push(`${module} ${name}: ${keys}`)
  }
  const wanted = changes.flatMap(([module, names, keys]) =>
    names.split(' ').map((name) => `${module} ${name}: ${keys}`),
  )
  expect(found.sort()).toEqual(wanted.sort())
})
