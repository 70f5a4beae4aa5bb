import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, drawInPortal, serving } from '../../../../testing/portal.tsx'
import { app, child, prepared, shop, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { UpgradeWizard } from './upgrade-wizard.tsx'

const helm = '/deployment/v1/helm/deployment'
const t = texts.meanwhile
const slow = { timeout: 8000 }
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const valuesOf = (yaml: string, revision: number) => ({
  id: 'action-1',
  running: false,
  state: 'Success',
  prepared: { ...prepared, values: { ...prepared.values, yaml, deployed: yaml, defaults: 'tanks: 2\n', revision } },
})
const revisionsOf = (newest: number, startedBy: string | null = 'noor') => ({
  data: [{ revision: newest, installed: true, startedBy, updatedAt: '2026-01-01T00:00:00.000Z', lock: null }],
})
const before = 'tanks: 3\nname: north\n'
const after = 'tanks: 4\nname: north\n'

async function open(kind: 'B' | 'F', startedBy: string | null = 'noor', begun = before, now = after) {
  const answers: Answers = {
    ...well,
    'GET /deployment/v1/catalogapp/': { id: 'version1', catalogItemId: 'item1', child },
    'GET /deployment/v1/actions/': valuesOf(begun, 4),
    [`GET ${helm}/revisions/`]: revisionsOf(4),
    [`PUT ${helm}/preview/`]: { values: { before: '', after: '' }, objects: [], unchanged: 0, problem: null },
  }
  const calls = serving(answers)
  drawInPortal(<UpgradeWizard app={app} space={shop} versionId="version1" kind={kind} />)
  await waitFor(() => expect(button(texts.next).disabled).toBe(false))
  await userEvent.click(button(texts.next))
  return {
    calls,
    sent: () => calls.find(({ path }) => path.endsWith('actions.Upgrade'))?.body,
    /** Somebody else is faster. */
    deployed() {
      answers['GET /deployment/v1/actions/'] = valuesOf(now, 5)
      answers[`GET ${helm}/revisions/`] = revisionsOf(5, startedBy)
    },
  }
}

async function write(name: RegExp, text: string) {
  const field = await screen.findByRole('textbox', { name }, slow)
  fireEvent.change(field, { target: { value: text } })
  fireEvent.blur(field)
}

async function toSummary() {
  await waitFor(() => expect(button(texts.next).disabled).toBe(false), slow)
  await userEvent.click(button(texts.next))
  await screen.findByText(texts.summary.upgrade)
}

it('what somebody deployed meanwhile is told before anything is sent, and stays under the own edits', async () => {
  const { deployed, sent } = await open('B')
  await write(/name/i, 'south')
  await toSummary()
  deployed()
  await userEvent.click(button(texts.upgrade))
  const note = await screen.findByRole('alert')
  expect(note.textContent).toContain(t.deployed(5, 'noor'))
  expect(note.textContent).toContain(`${t.began} 4`)
  expect(button(texts.upgrade).disabled).toBe(true)
  expect(sent()).toBeUndefined()
  await userEvent.click(button(t.take))
  expect(await screen.findByText(t.done.replace('{n}', '5'))).toBeDefined()
  await toSummary()
  await userEvent.click(button(texts.upgrade))
  await waitFor(() =>
    expect(sent()).toMatchObject({ baseRevision: 5, deployData: { yaml: 'tanks: 4\nname: south\n' } }),
  )
}, 30_000)

it('what both have changed has to be chosen', async () => {
  const { deployed, sent } = await open('B', null)
  await write(/tanks/i, '7')
  await toSummary()
  deployed()
  await userEvent.click(button(texts.upgrade))
  expect((await screen.findByRole('alert')).textContent).toContain(t.outside)
  await userEvent.click(button(t.take))
  const conflicts = await screen.findByRole('region', { name: t.merged.heading })
  expect(conflicts.textContent).toContain(t.merged.text)
  expect(conflicts.textContent).toContain(t.merged.reason)
  const sides = screen.getAllByRole<HTMLInputElement>('radio').map((each) => each.closest('label')?.textContent)
  expect(sides).toEqual([`${t.merged.sides.before}3`, `${t.merged.sides.yours}7`, `${t.merged.sides.theirs}4`])
  expect(button(texts.next).disabled).toBe(true)
  await userEvent.click(screen.getByRole('radio', { name: new RegExp(t.merged.sides.theirs) }))
  await toSummary()
  await userEvent.click(button(texts.upgrade))
  await waitFor(() => expect(sent()).toMatchObject({ baseRevision: 5, deployData: { yaml: after } }))
}, 30_000)

it('a DATA-step upgrade takes what is deployed now', async () => {
  const { deployed, sent } = await open('F')
  await screen.findByText(texts.data.text)
  deployed()
  await userEvent.click(button(texts.upgrade))
  await screen.findByRole('alert')
  await userEvent.click(button(t.take))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  await userEvent.click(button(texts.upgrade))
  await waitFor(() => expect(sent()).toMatchObject({ baseRevision: 5, deployData: { yaml: after } }))
}, 20_000)

it('a text that cannot be read is merged with nothing, and that is said', async () => {
  const { deployed, sent } = await open('F', 'noor', 'tanks: [1')
  await screen.findByText(texts.data.text)
  deployed()
  await userEvent.click(button(texts.upgrade))
  await userEvent.click(await screen.findByRole('button', { name: t.take }))
  expect(await screen.findByText(t.notYaml)).toBeDefined()
  expect(sent()).toBeUndefined()
}, 20_000)

it('what somebody else has taken out can be taken out, too', async () => {
  const { deployed } = await open('B', 'noor', before, 'name: north\n')
  await write(/tanks/i, '7')
  await toSummary()
  deployed()
  await userEvent.click(button(texts.upgrade))
  await userEvent.click(await screen.findByRole('button', { name: t.take }))
  expect(await screen.findByRole('radio', { name: t.merged.sides.gone })).toBeDefined()
}, 30_000)
