import { screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { useWizards, type WizardRequest } from '../../api/deployments/wizards.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { type Answers, drawInPortal, liveLine, Refusal, serving } from '../../testing/portal.tsx'
import { app, child, shop, well } from './testing/samples.ts'
import { texts } from './texts.ts'
import { WizardHost } from './wizard-host.tsx'

const patient = { timeout: 20_000 }

const running = {
  id: 'action-1',
  kind: 'Deploy',
  state: 'helm',
  running: true,
  appId: app.id,
  appName: app.displayName,
  releaseName: app.releaseName,
  clusterName: app.clusterName,
  spaceName: app.spaceName,
  version: '1.0.0',
}

function Opened({ request }: { request: WizardRequest }) {
  const wizards = useWizards()
  const { open } = wizards
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once, as a page does by a click.
  useEffect(() => void open(request), [])
  return wizards.request === undefined ? null : <WizardHost />
}

function open(request: WizardRequest, answers: Answers = {}) {
  const all: Answers = {
    ...well,
    'GET /deployment/v1/catalogapp/': { id: 'version1', catalogItemId: 'item1', child },
    'GET /deployment/v1/actions/': running,
    'GET /portal-api/v3/spaces/': shop,
    ...answers,
  }
  serving(all)
  const queries = createQueryClient()
  const line = liveLine()
  drawInPortal(<Opened request={request} />, { queries, line })
  return { all, queries, line }
}

const steps = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

it.each([
  ['an install', { kind: 'install', versionId: 'version1' }, texts.general.text],
  ['one that is followed', { kind: 'follow', actionId: 'action-1' }, 'Deploying Now…'],
  ['a deletion', { kind: 'delete', appId: app.id }, texts.remove.leftovers],
] as [string, WizardRequest, string][])(
  'stays open while everything behind it fails: %s',
  async (_, request, shown) => {
    const { all, queries } = open(request)
    expect(await screen.findByText(shown)).toBeDefined()
    for (const key of Object.keys(all)) delete all[key]
    await queries.invalidateQueries()
    expect(screen.getByText(shown)).toBeDefined()
  },
)

it('a wizard that was left is found with its steps, its card and its log', async () => {
  const { line } = open({ kind: 'follow', actionId: 'action-1' })
  await screen.findByText('Deploying Now…')
  expect(steps().slice(0, 5)).toEqual([
    'General Information',
    'Infrastructure',
    'Access Management',
    'Summary',
    'Deployment',
  ])
  expect(screen.getByText('Tank levels by Harbour Works')).toBeDefined()
  line.tell('message', { type: 'helm', message: 'from before', level: 'info' })
  expect(await screen.findByText('from before')).toBeDefined()
})

it('of an app that is gone, what there is to tell is told', async () => {
  open({ kind: 'follow', actionId: 'action-1' }, { 'GET /portal-api/v2/apps/': new Refusal(404, 'gone') })
  expect(await screen.findByText('Deploying Now…')).toBeDefined()
  expect(steps()[0]).toBe(texts.progress.step)
})

it.each([[{ kind: 'install', versionId: 'version1' }], [{ kind: 'upgrade', appId: app.id }]] as [WizardRequest][])(
  'without its version no dialog opens, and the log says so',
  async (request) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    open(request, { 'GET /deployment/v1/catalogapp/': new Refusal(404, 'There is no such version') })
    await waitFor(() => expect(logged).toHaveBeenCalledWith(texts.versionFailed, expect.anything()))
    expect(await screen.findByText('There is no such version')).toBeDefined()
    expect(screen.queryByRole('list', { name: 'Steps' })).toBeNull()
  },
)

it.each([
  ['App', 'Legacy', 'rollback', 'Wrong action type'],
  ['Solution', 'Containerized', 'delete', 'SolutionActionComponent not implemented yet!'],
  ['App', 'Odd', 'upgrade', "Unsupported AppType 'Odd'"],
  ['Thing', 'Legacy', 'delete', "Unsupported CatalogItemType 'Thing'"],
])('%s %s has no %s', async (itemType, appType, kind, says) => {
  const request = { kind, appId: app.id } as WizardRequest
  open(request, { 'GET /portal-api/v2/apps/': { ...app, itemType, appType } })
  expect(await screen.findByText(says)).toBeDefined()
})

it('a wizard that is opened while the portal is away waits, and opens by itself when it answers', async () => {
  const { all } = open(
    { kind: 'follow', actionId: 'action-1' },
    { 'GET /deployment/v1/actions/': new Refusal(503, '') },
  )
  expect(await screen.findByText(texts.connecting, undefined, patient)).toBeDefined()
  all['GET /deployment/v1/actions/'] = running
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByText('Deploying Now…', undefined, patient)).toBeDefined()
  expect(screen.queryByText(texts.connecting)).toBeNull()
})
