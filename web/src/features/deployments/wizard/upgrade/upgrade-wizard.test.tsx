import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { createQueryClient } from '../../../../lib/query-client.ts'
import { type Answers, drawInPortal, never, Refusal, serving } from '../../../../testing/portal.tsx'
import { app, child, prepared, shop, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { RollbackWizard } from './rollback-wizard.tsx'
import { UpgradeWizard } from './upgrade-wizard.tsx'

const helm = '/deployment/v1/helm/deployment'
const estimatePath = 'POST /metrics-dashboard/v1/cost/estimate'
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const has = (name: string) => screen.queryByRole('button', { name }) !== null
const detail = {
  ...child.version,
  readme: '',
  valuesYaml: prepared.values.yaml,
  valuesSchema: null,
  dependencies: [],
  keywords: [],
  home: null,
  sources: [],
  maintainers: [],
}
const diff = { values: { before: '', after: '' }, objects: [], unchanged: 0, problem: null }
const around = {
  'GET /catalog/v2/versions/': detail,
  'GET /deployment/v1/catalogapp/': { id: 'version1', catalogItemId: 'item1', child },
  [`PUT ${helm}/preview/`]: diff,
  [`GET ${helm}/compare/`]: diff,
}

describe('Select Version', () => {
  async function open(kind: 'B' | 'F', answers: Answers = {}) {
    const calls = serving({ ...well, ...around, ...answers })
    drawInPortal(<UpgradeWizard app={app} space={shop} versionId={undefined} kind={kind} />)
    await screen.findByRole('heading', { name: texts.selectVersion.step })
    return calls
  }

  it('keeps Next closed until a version is there', async () => {
    await open('B', { 'GET /catalog/v2/versions/bycatalogitem/': never })
    expect(button(texts.next).disabled).toBe(true)
    expect(has(texts.cancel)).toBe(true)
    expect(has(texts.previous)).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: /^VERSION/ }))
    expect(await screen.findByText('Loading')).toBeDefined()
  })

  it('says when the versions cannot be had', async () => {
    await open('B', { 'GET /catalog/v2/versions/bycatalogitem/': new Refusal(500, 'broken') })
    await userEvent.click(screen.getByRole('button', { name: /^VERSION/ }))
    expect(await screen.findByText('broken')).toBeDefined()
    expect(button(texts.next).disabled).toBe(true)
  })

  it('says when the values cannot be prepared, and stays', async () => {
    await open('B', { [`POST ${helm}/actions.Prepare`]: new Refusal(500, 'The cluster is away') })
    await waitFor(() => expect(button(texts.next).disabled).toBe(false))
    await userEvent.click(button(texts.next))
    expect(await screen.findByText('The cluster is away')).toBeDefined()
    expect(button(texts.next).disabled).toBe(false)
  })

  it("says of the chart's own secrets only that they are other ones", async () => {
    const values = (password: string) => ({ ...detail, valuesYaml: `password: ${password}\ntanks: 2\n` })
    await open('B', {
      'GET /catalog/v2/versions/version1': { ...values('tide4711'), version: '1.0.0' },
      'GET /catalog/v2/versions/version2': { ...values('tide4712'), version: '1.1.0' },
    })
    await userEvent.click(await screen.findByRole('button', { name: texts.selectVersion.defaults }))
    const diff = await screen.findByRole('region', { name: texts.selectVersion.defaults })
    await waitFor(() => expect(diff.textContent).toContain('(changed)'))
    expect(diff.textContent).not.toContain('tide')
  })

  it('does not compare what cannot be read', async () => {
    await open('B', { 'GET /catalog/v2/versions/version2': { ...detail, valuesYaml: 'password: [tide4711' } })
    await userEvent.click(await screen.findByRole('button', { name: texts.selectVersion.defaults }))
    expect(await screen.findByText(texts.selectVersion.unreadable)).toBeDefined()
  })

  it('leads over the values to a summary that speaks of the upgrade', async () => {
    const values = { ...prepared.values, yaml: 'tanks: 2\n', deployed: 'tanks: 1\n', defaults: 'tanks: 2\n' }
    const action = { id: 'action-1', running: false, state: 'Success', prepared: { ...prepared, values } }
    await open('B', { 'GET /deployment/v1/actions/': action })
    await waitFor(() => expect(button(texts.next).disabled).toBe(false))
    await userEvent.click(button(texts.next))
    await screen.findByText(texts.infrastructure.text)
    expect(has(texts.cancelUpgrade)).toBe(true)
    await waitFor(() => expect(button(texts.next).disabled).toBe(false), { timeout: 4000 })
    await userEvent.click(button(texts.next))
    expect(await screen.findByText(texts.summary.upgrade)).toBeDefined()
    expect(screen.getByText(texts.changed.than.deployed.one)).toBeDefined()
    expect(screen.getByText(texts.changed.than.defaults.none)).toBeDefined()
    expect(screen.queryByRole('table', { name: texts.summary.access })).toBeNull()
    expect(has(texts.upgrade)).toBe(true)
  })

  it('asks for a reason where the budget of the space is exceeded, and sends it', async () => {
    const values = { ...prepared.values, yaml: 'tanks: 2\n', deployed: 'tanks: 1\n', defaults: 'tanks: 2\n' }
    const action = { id: 'action-1', running: false, state: 'Success', prepared: { ...prepared, values } }
    const calls = await open('B', {
      'GET /deployment/v1/actions/': action,
      'GET /metrics-dashboard/v1/cost/spaces/': {
        budget: { amount: 100, currency: 'EUR', setBy: 'ines', setAt: '2031-05-01T12:00:00Z' },
      },
      [estimatePath]: { ...well[estimatePath], budget: { amount: 100, monthly: 150, isExceeded: true } },
    })
    const next = async () => {
      await waitFor(() => expect(button(texts.next).disabled).toBe(false), { timeout: 4000 })
      await userEvent.click(button(texts.next))
    }
    await next()
    await screen.findByText(texts.infrastructure.text)
    await next()
    expect(await screen.findByRole('heading', { name: texts.costControl.heading })).toBeDefined()
    expect(button(texts.next).disabled).toBe(true)
    await userEvent.type(screen.getByLabelText(new RegExp(`^${texts.costControl.reason}`)), 'The sale begins')
    await next()
    await screen.findByText(texts.summary.upgrade)
    await userEvent.click(button(texts.upgrade))
    await waitFor(() => expect(calls.find(({ path }) => path.endsWith('actions.Upgrade'))).toBeDefined())
    expect(calls.find(({ path }) => path.endsWith('actions.Upgrade'))?.body).toMatchObject({
      costReason: 'The sale begins',
    })
  })

  it('leads to the DATA step, whose button is Upgrade', async () => {
    await open('F')
    await waitFor(() => expect(button(texts.next).disabled).toBe(false))
    await userEvent.click(button(texts.next))
    expect(await screen.findByText(texts.data.text)).toBeDefined()
    expect(has(texts.upgrade)).toBe(true)
    expect(has(texts.cancelUpgrade)).toBe(true)
  })
})

it('the upgrade is told with what it came from, and on a card with its manufacturer', async () => {
  const later = { ...child, version: { ...child.version, id: 'version2', version: '1.1.0' } }
  serving({ ...well, ...around, 'GET /deployment/v1/catalogapp/version2': { ...later, child: later } })
  let fetchedAgain = () => {}
  function Host() {
    const [now, setNow] = useState(app)
    fetchedAgain = () => setNow({ ...app, version: '1.1.0' })
    return <UpgradeWizard app={now} space={shop} versionId="version2" kind="F" />
  }
  drawInPortal(<Host />)
  await waitFor(() => expect(button(texts.next).disabled).toBe(false))
  await userEvent.click(button(texts.next))
  expect(await screen.findByText('Tank levels · 1.0.0 → 1.1.0')).toBeDefined()
  await userEvent.click(await screen.findByRole('button', { name: texts.upgrade }))
  expect(await screen.findByText('Tank levels by Harbour Works')).toBeDefined()
  expect(document.body.textContent).toContain('Tank levels 1.0.0 → 1.1.0')
  act(fetchedAgain)
  expect(document.body.textContent).toContain('Tank levels 1.0.0 → 1.1.0')
})

describe('Select Revision', () => {
  const revision = (number: number) => ({
    revision: number,
    version: '1.0.0',
    status: number === 3 ? 'deployed' : 'superseded',
    updatedAt: '2026-01-01T00:00:00.000Z',
    description: 'Upgrade complete',
    installed: number === 3,
    startedBy: 'noor',
  })
  const revisions = `GET ${helm}/revisions/`
  const one = `GET ${helm}/revision/`
  const chosen = { ...revision(2), valuesYaml: 'tanks: 1\n', manifest: '', notes: '' }
  async function open(answers: Answers = {}) {
    const good = { [revisions]: { data: [3, 2, 1].map(revision) }, [one]: chosen }
    serving({ ...well, ...around, ...good, ...answers })
    drawInPortal(<RollbackWizard app={app} revision={undefined} />)
    await screen.findByRole('heading', { name: texts.selectRevision.heading })
    expect(screen.getByText(texts.selectRevision.choose)).toBeDefined()
    expect(screen.getByText(texts.selectRevision.overview)).toBeDefined()
    expect(has(texts.cancelRollback)).toBe(true)
  }

  it('marks the installed one, which cannot be chosen, and has the one before it chosen', async () => {
    await open()
    const installed = await screen.findByRole<HTMLInputElement>('radio', { name: `3${texts.selectRevision.installed}` })
    expect(installed.disabled).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '2' }).checked).toBe(true)
  })

  it.each([
    ['it loads', { [revisions]: never }, 'Loading'],
    ['it cannot be had', { [revisions]: new Refusal(502, 'The cluster is away') }, 'The cluster is away'],
    ['there is nothing to go back to', { [revisions]: { data: [revision(3)] } }, 'There is no earlier revision'],
    ['the chosen one cannot be had', { [one]: new Refusal(404, 'It is gone') }, 'It is gone'],
  ])('shows no Next while %s', async (_, answers, shown) => {
    await open(answers)
    await waitFor(() => expect(document.body.textContent).toContain(shown))
    expect(has(texts.next)).toBe(false)
  })

  it('shows no Next before the chosen one has come', async () => {
    await open({ [one]: never })
    await screen.findByRole('radio', { name: '2' })
    expect(has(texts.next)).toBe(false)
  })

  it('rolls back to the revision that was looked at, although another one has come', async () => {
    const queries = createQueryClient()
    const answers: Answers = { ...well, ...around, [revisions]: { data: [2, 1].map(revision) }, [one]: chosen }
    const calls = serving(answers)
    drawInPortal(<RollbackWizard app={app} revision={undefined} />, { queries })
    await userEvent.click(await screen.findByRole('button', { name: texts.next }))
    answers[revisions] = { data: [3, 2, 1].map(revision) }
    await act(() => queries.invalidateQueries())
    await userEvent.click(await screen.findByRole('button', { name: texts.rollback }))
    expect((await screen.findByRole('alert')).textContent).toContain('noor has since deployed revision 3')
    expect(button(texts.rollback).disabled).toBe(true)
    await userEvent.click(button(texts.meanwhile.look))
    await userEvent.click(await screen.findByRole('button', { name: texts.rollback }))
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('actions.Rollback'))).toBe(true))
    expect(calls.find(({ path }) => path.endsWith('actions.Rollback'))?.body).toMatchObject({
      revision: 1,
      baseRevision: 3,
    })
    expect(document.body.textContent).toContain('to revision 1')
  })

  it('leads to an overview of the values and back', async () => {
    const values = { before: 'tanks: 2\n', after: 'tanks: 1\n' }
    await open({ [`GET ${helm}/compare/`]: { ...diff, values } })
    await userEvent.click(await screen.findByRole('button', { name: texts.next }))
    expect(await screen.findByRole('heading', { name: texts.overview.heading })).toBeDefined()
    expect(has(texts.rollback)).toBe(true)
    expect(await screen.findByText(texts.changed.than.deployed.one)).toBeDefined()
    await userEvent.click(button(texts.previous))
    expect(await screen.findByRole('heading', { name: texts.selectRevision.heading })).toBeDefined()
  })
})
