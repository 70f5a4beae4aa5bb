import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { describe, expect, it } from 'vitest'
import { useWizards, type WizardRequest } from '../../../api/deployments/wizards.tsx'
import { type Answers, drawInPortal, liveLine, serving } from '../../../testing/portal.tsx'
import { app, child, prepared, shop, well } from '../testing/samples.ts'
import { texts } from '../texts.ts'
import { WizardHost } from '../wizard-host.tsx'

const helm = '/deployment/v1/helm/deployment'
const later = { ...child, version: { ...child.version, id: 'version2', version: '1.1.0' } }
const merge = {
  conflicts: [{ path: ['tanks'], reason: 'changed', before: 1, yours: 2, theirs: 3 }],
  kept: [],
  taken: [],
  added: [],
  removed: [],
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
    'GET /deployment/v1/catalogapp/version2': { id: 'version2', catalogItemId: 'item1', child: later },
    'GET /catalog/v2/versions/version': { ...child.version, readme: '', valuesYaml: '', valuesSchema: null },
    'GET /portal-api/v3/spaces/': shop,
    ...answers,
  })
  const line = liveLine()
  drawInPortal(<Opened request={request} />, { line })
  return { calls, line }
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const press = (name: string) => userEvent.click(button(name))
const next = async (shown: string) => {
  await waitFor(() => expect(button(texts.next).disabled).toBe(false), { timeout: 5000 })
  await press(texts.next)
  await screen.findByText(shown)
}
const retype = async (label: RegExp | string, text: string) => {
  const box = await screen.findByLabelText(label)
  await userEvent.clear(box)
  await userEvent.type(box, text)
}
const appName = new RegExp(`^${texts.general.appName}`)
const question = () => screen.queryByRole('dialog', { name: texts.leave.title })
const posted = (calls: ReturnType<typeof open>['calls'], action: string) =>
  calls.filter(({ path }) => path.endsWith(`/actions.${action}`)).length
const install = { kind: 'install', versionId: 'version1', spaceId: shop.id } as const

describe('an install', () => {
  it.each([
    ['before it is assigned', false],
    ['and takes the assigned app away', true],
  ])('closes without a question when nothing was entered: %s', async (_, isAssigned) => {
    const { calls } = open(install)
    await screen.findByText(texts.general.text)
    if (isAssigned) await next(texts.infrastructure.text)
    await press(texts.cancelDeployment)
    expect(await screen.findByText('closed')).toBeDefined()
    expect(question()).toBeNull()
    expect(posted(calls, 'Delete')).toBe(isAssigned ? 1 : 0)
  })

  it('asks for what was entered, and loses nothing by being asked', async () => {
    const { calls } = open(install)
    await screen.findByText(texts.general.text)
    await retype(appName, 'Other levels')
    await userEvent.type(screen.getByLabelText(texts.general.tags), 'north,')
    await press(texts.cancelDeployment)
    expect(question()?.textContent).toContain(texts.leave.message([texts.leave.of.name, texts.leave.of.tags]))
    await press('Cancel')
    expect(question()).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>(appName).value).toBe('Other levels')

    await next(texts.infrastructure.text)
    await retype('Tanks', '7')
    expect(await screen.findByText(texts.infrastructure.oneChange)).toBeDefined()
    await press(texts.cancelDeployment)
    expect(question()?.textContent).toContain('the name, the tags and the values')
    expect(posted(calls, 'Delete')).toBe(0)
    await press('Confirm')
    expect(await screen.findByText('closed')).toBeDefined()
    expect(posted(calls, 'Delete')).toBe(1)
  })

  it('has nothing to ask once what was changed is as it was', async () => {
    open(install)
    await screen.findByText(texts.general.text)
    await next(texts.infrastructure.text)
    await retype('Tanks', '7')
    await retype('Tanks', '2')
    await press(texts.cancelDeployment)
    expect(await screen.findByText('closed')).toBeDefined()
  })

  it('asks for groups, and not for what an action has got; but for what was changed after it failed', async () => {
    const { line } = open(install)
    await screen.findByText(texts.general.text)
    await next(texts.infrastructure.text)
    await next(texts.access.text)
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Crew' }))
    await press(texts.cancelDeployment)
    expect(question()?.textContent).toContain(texts.leave.message([texts.leave.of.groups]))
    await press('Cancel')
    await next(texts.summary.install)
    await press(texts.deploy)
    await screen.findByText('Deploying Now…')
    line.tell('Deploy', { state: 1, summary: 'It broke', lines: [] })
    await userEvent.click(await screen.findByRole('button', { name: texts.progress.again }))
    await retype('Tanks', '7')
    await press(texts.cancelDeployment)
    expect(question()?.textContent).toContain(texts.leave.message([texts.leave.of.values]))
    await press('Cancel')
    await retype('Tanks', '2')
    await press(texts.cancelDeployment)
    expect(await screen.findByText('closed')).toBeDefined()
    expect(question()).toBeNull()
  }, 20_000)

  it('another version keeps what was changed', async () => {
    open(install, {
      'GET /deployment/v1/actions/': () => ({ id: 'action-1', running: false, state: 'Success', prepared }),
    })
    await screen.findByText(texts.general.text)
    await next(texts.infrastructure.text)
    await retype('Tanks', '7')
    await press(texts.previous)
    await userEvent.click(screen.getByRole('button', { name: /^VERSION/ }))
    await userEvent.click(await screen.findByRole('option', { name: '1.1.0' }))
    await next(texts.infrastructure.text)
    expect((await screen.findByLabelText<HTMLInputElement>('Tanks')).value).toBe('7')
  })
})

describe('an upgrade', () => {
  const upgrade = { kind: 'upgrade', appId: app.id, versionId: 'version2' } as const
  const answers = {
    'GET /deployment/v1/actions/': {
      id: 'action-1',
      running: false,
      state: 'Success',
      prepared: { ...prepared, values: { ...prepared.values, merge } },
    },
    [`PUT ${helm}/preview/`]: { values: { before: '', after: '' }, objects: [], unchanged: 0, problem: null },
  }

  it('closes without a question when nothing was entered', async () => {
    open(upgrade, answers)
    await screen.findByRole('heading', { name: texts.selectVersion.step })
    await next(texts.infrastructure.text)
    await press(texts.cancelUpgrade)
    expect(await screen.findByText('closed')).toBeDefined()
  })

  it('asks for a conflict that was decided, also when its value is the one from before, and on the way back', async () => {
    open(upgrade, answers)
    await screen.findByRole('heading', { name: texts.selectVersion.step })
    await next(texts.infrastructure.text)
    await userEvent.click(screen.getByRole('radio', { name: new RegExp(`^${texts.merge.sides.yours}`) }))
    await press(texts.cancelUpgrade)
    expect(question()?.textContent).toContain(texts.leave.message([texts.leave.of.values]))
    await press('Cancel')
    await press(texts.previous)
    await press(texts.cancel)
    expect(question()).not.toBeNull()
    await press('Confirm')
    expect(await screen.findByText('closed')).toBeDefined()
  })
})
