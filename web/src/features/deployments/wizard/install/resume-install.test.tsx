import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { expect, it } from 'vitest'
import { useWizards, type WizardRequest } from '../../../../api/deployments/wizards.tsx'
import { type Answers, drawInPortal, serving } from '../../../../testing/portal.tsx'
import { app, child, prepared, shop, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { WizardHost } from '../../wizard-host.tsx'

const assigned = {
  ...app,
  displayName: 'Left behind',
  clusterId: 'c2',
  releaseName: null,
  revision: null,
  state: 'assigned',
}
const yaml = '# How many tanks\ntanks: 2\n# @MASKED\npassword: none\n'
const ready = {
  id: 'action-1',
  running: false,
  state: 'Success',
  prepared: { ...prepared, values: { ...prepared.values, yaml } },
}

function Opened({ request }: { request: WizardRequest }) {
  const wizards = useWizards()
  const { open } = wizards
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once, as a page does by a click.
  useEffect(() => void open(request), [])
  return wizards.request === undefined ? <p>closed</p> : <WizardHost />
}

function open(request: WizardRequest, answers: Answers = {}) {
  const calls = serving({
    ...well,
    'GET /deployment/v1/catalogapp/': { id: 'version1', catalogItemId: 'item1', child },
    'GET /deployment/v1/actions/': ready,
    'GET /portal-api/v3/spaces/': shop,
    'GET /portal-api/v2/apps/': assigned,
    'POST /deployment/v1/helm/deployment/actions.Assign': assigned,
    ...answers,
  })
  drawInPortal(<Opened request={request} />)
  return calls
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const posted = (calls: ReturnType<typeof open>, action: string) =>
  calls.filter(({ path }) => path.endsWith(`/actions.${action}`))
const resume = { kind: 'deploy', appId: app.id } as const

async function next() {
  await waitFor(() => expect(button(texts.next).disabled).toBe(false), { timeout: 5000 })
  await userEvent.click(button(texts.next))
}

it('an app that was assigned is deployed as what it is, from Infrastructure on', { timeout: 20_000 }, async () => {
  const calls = open(resume)
  expect(await screen.findByText(texts.resumed.anew)).toBeDefined()
  await next()
  await next()
  const facts = await screen.findByRole('table', { name: texts.summary.general })
  expect(facts.textContent).toContain('Left behind')
  expect(facts.textContent).toContain('Cluster c2')
  await userEvent.click(button(texts.deploy))
  await waitFor(() => expect(posted(calls, 'Deploy')).toHaveLength(1))
  expect(posted(calls, 'Deploy')[0]?.body).toMatchObject({ appId: app.id, deployData: { clusterId: 'c2', yaml } })
  expect(posted(calls, 'Assign')).toEqual([])
})

it('after the page went away the values are as they were left, but for what is secret', {
  timeout: 20_000,
}, async () => {
  open({ kind: 'install', versionId: 'version1', spaceId: shop.id })
  await screen.findByText(texts.general.text)
  await next()
  const tanks = await screen.findByLabelText('Tanks')
  await userEvent.clear(tanks)
  await userEvent.type(tanks, '7')
  const password = screen.getByLabelText('Password')
  await userEvent.clear(password)
  await userEvent.type(password, 'hush-hush')
  await userEvent.tab()
  dispatchEvent(new Event('pagehide'))
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('hush-hush')
  cleanup()

  const calls = open(resume)
  expect(await screen.findByText(texts.resumed.asLeft)).toBeDefined()
  expect((await screen.findByLabelText<HTMLInputElement>('Tanks')).value).toBe('7')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('none')
  await next()
  await next()
  await userEvent.click(button(texts.deploy))
  await waitFor(() => expect(posted(calls, 'Deploy')).toHaveLength(1))
  expect(posted(calls, 'Deploy')[0]?.body).toMatchObject({ deployData: { yaml: yaml.replace('2', '7') } })
  dispatchEvent(new Event('pagehide'))
  expect(sessionStorage.length).toBe(0)
})

it('General Information says where the app is, and going on from there assigns nothing anew', async () => {
  const calls = open(resume, { 'PATCH /portal-api/v2/apps/': assigned })
  await screen.findByText(texts.resumed.anew)
  await userEvent.click(button(texts.previous))
  expect(await screen.findByDisplayValue('Left behind')).toBeDefined()
  expect(await screen.findByRole('button', { name: /CLUSTER.*Cluster c2/ })).toBeDefined()
  await next()
  await screen.findByText(texts.infrastructure.text)
  expect(posted(calls, 'Assign')).toEqual([])
})

it('a cancelled one leaves the app where it was', async () => {
  const calls = open(resume)
  await screen.findByText(texts.resumed.anew)
  await userEvent.click(button(texts.cancelDeployment))
  expect(await screen.findByText('closed')).toBeDefined()
  expect(posted(calls, 'Delete')).toEqual([])
})

it('one that was deployed meanwhile is not deployed again', async () => {
  open(resume, { 'GET /portal-api/v2/apps/': app })
  expect(await screen.findByText(texts.resumed.deployed)).toBeDefined()
  expect(screen.queryByRole('list', { name: 'Steps' })).toBeNull()
})
