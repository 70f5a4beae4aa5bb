import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Answers, drawInPortal, liveLine, never, Refusal, serving } from '../../../../testing/portal.tsx'
import { app, child, empty, groups, shop, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { InstallWizard } from './install-wizard.tsx'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const isDisabled = (name: string) => button(name).disabled
const helm = '/deployment/v1/helm/deployment'
const appName = new RegExp(`^${texts.general.appName}`)

async function open(answers: Answers = {}, kind: 'A' | 'A-with-access' | 'E' = 'A-with-access', spaceId?: string) {
  const calls = serving({ ...well, ...answers })
  const line = liveLine()
  drawInPortal(<InstallWizard child={child} spaceId={spaceId} kind={kind} />, { line })
  await screen.findByText(texts.general.text)
  return { calls, line }
}

const press = (name: string) => userEvent.click(button(name))
const select = (name: RegExp) => userEvent.click(screen.getByRole('button', { name }))
const next = async (shown: string) => {
  await waitFor(() => expect(isDisabled(texts.next)).toBe(false), { timeout: 4000 })
  await press(texts.next)
  await screen.findByText(shown)
}

describe('General Information', () => {
  it('keeps Next closed until version, space, cluster and name are there', async () => {
    await open()
    expect(isDisabled(texts.next)).toBe(true)
    expect(screen.queryByRole('button', { name: /^CLUSTER/ })).toBeNull()
    await select(/^SPACE/)
    const option = await screen.findByRole('option', { name: /^Shop/ })
    expect(option.textContent).toBe(`Shop${texts.general.id}${shop.id}${texts.general.deployedApps}1`)
    await userEvent.click(option)
    expect(screen.getByRole('button', { name: /^CLUSTER/ }).textContent).toBe('Cluster c1')
    await select(/^CLUSTER/)
    const other = await screen.findByRole('option', { name: /^Cluster c2/ })
    expect(other.textContent).toBe(`Cluster c2${texts.general.id}c2${texts.general.provider}Sandbox`)
    await userEvent.click(other)
    expect(isDisabled(texts.next)).toBe(false)
    await userEvent.clear(screen.getByLabelText(appName))
    await userEvent.tab()
    expect(screen.getByText(texts.general.nameRequired)).toBeDefined()
    expect(isDisabled(texts.next)).toBe(true)
  })

  it('names the version that is chosen', async () => {
    await open()
    expect(screen.getByText('Industry · by Harbour Works · 1.0.0')).toBeDefined()
    await select(/^VERSION/)
    await userEvent.click(await screen.findByRole('option', { name: '1.1.0' }))
    expect(screen.getByText('Industry · by Harbour Works · 1.1.0')).toBeDefined()
  })

  it('says what is wrong with the spaces', async () => {
    await open({ 'GET /portal-api/v2/spaces': new Refusal(500, 'broken') })
    await select(/^SPACE/)
    const panel = await screen.findByRole('alert', { name: new RegExp(texts.general.spacesError) })
    expect(panel.textContent).toContain('Reason: broken')
  })

  it.each([
    ['Loading', never],
    [texts.general.noSpaces, { data: [], page: { skip: 0, limit: 1, total: 0 } }],
  ])('shows %s', async (shown, answer) => {
    await open({ 'GET /portal-api/v2/spaces': answer })
    await select(/^SPACE/)
    expect(await screen.findByText(shown)).toBeDefined()
  })

  it('chooses the only space, and locks the only cluster', async () => {
    const one = { ...shop, clusters: shop.clusters.slice(0, 1) }
    await open({ 'GET /portal-api/v2/spaces': { data: [one] } })
    await waitFor(() => expect(screen.getByRole('button', { name: /^SPACE/ }).textContent).toBe('Shop'))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^CLUSTER/ }).disabled).toBe(true)
    expect(isDisabled(texts.next)).toBe(false)
  })

  it('a space without clusters says what to do', async () => {
    await open({}, 'A', empty.id)
    expect(await screen.findByText(texts.general.noCluster)).toBeDefined()
    expect(isDisabled(texts.next)).toBe(true)
  })

  it('keeps what was typed when assigning fails', async () => {
    await open({ [`POST ${helm}/actions.Assign`]: new Refusal(409, 'The space is gone') }, 'A', shop.id)
    await waitFor(() => expect(isDisabled(texts.next)).toBe(false))
    await userEvent.type(screen.getByLabelText(appName), ' two')
    await press(texts.next)
    expect((await screen.findByRole('alert', { name: /^General/ })).textContent).toContain('Reason: The space is gone')
    expect(screen.getByLabelText<HTMLInputElement>(appName).value).toBe('Tank levels two')
    expect(isDisabled(texts.next)).toBe(false)
  })

  it('sends a command that the portal could not answer again by itself, and says so meanwhile', async () => {
    const assign = `POST ${helm}/actions.Assign`
    const answers = [new Refusal(503, 'away'), new Refusal(502, 'away')]
    const { calls } = await open({ [assign]: () => answers.shift() ?? well[assign] }, 'A', shop.id)
    await waitFor(() => expect(isDisabled(texts.next)).toBe(false))
    await press(texts.next)
    expect(await screen.findByText(texts.away)).toBeDefined()
    expect(await screen.findByText(texts.infrastructure.text, undefined, { timeout: 20_000 })).toBeDefined()
    expect(screen.queryByText(texts.away)).toBeNull()
    expect(calls.filter(({ path }) => path.endsWith('actions.Assign'))).toHaveLength(3)
  }, 30_000)

  it('shows that it assigns', async () => {
    await open({ [`POST ${helm}/actions.Assign`]: never }, 'A', shop.id)
    await waitFor(() => expect(isDisabled(texts.next)).toBe(false))
    await press(texts.next)
    expect((await screen.findAllByText(texts.general.assigning)).length).toBeGreaterThan(0)
    expect(screen.getByRole('progressbar', { name: texts.general.assigning })).toBeDefined()
    expect(isDisabled(texts.cancelDeployment)).toBe(true)
  })
})

describe('the way through', () => {
  it('goes from the values over access and summary to the deployment, and back without losing anything', async () => {
    const { calls, line } = await open({}, 'A-with-access', shop.id)
    await next(texts.infrastructure.text)
    expect(isDisabled(texts.next)).toBe(true)
    await next(texts.access.text)
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Crew' }))
    for (const box of screen.getAllByRole<HTMLInputElement>('checkbox')) expect(box.checked).toBe(true)
    expect(screen.getByText(texts.access.inherited)).toBeDefined()
    await userEvent.click(screen.getByRole('checkbox', { name: 'viewer for Night watch' }))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Crew' }).indeterminate).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Night watch' }).indeterminate).toBe(true)
    await next(texts.summary.install)
    const general = screen.getByRole('table', { name: texts.summary.general })
    expect(within(general).getByRole('row', { name: new RegExp(`^${texts.summary.values}`) }).textContent).toContain(
      texts.changed.than.defaults.none,
    )
    const access = screen.getByRole('table', { name: texts.summary.access })
    expect(within(access).getByRole('row', { name: /^Crew/ }).textContent).toBe('Crewviewer, editor')
    expect(within(access).getByRole('row', { name: /^Night watch/ }).textContent).toBe('Night watcheditor')
    expect(await within(access).findByText(`2 ${texts.summary.people}`)).toBeDefined()
    await press(texts.previous)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Crew' }).indeterminate).toBe(true)
    await next(texts.summary.install)
    await press(texts.deploy)
    await screen.findByText('Deploying Now…')
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('actions.Deploy'))).toBe(true))
    const sent = calls.find(({ path }) => path.endsWith('actions.Deploy'))?.body as {
      deployData: { groups: unknown[] }
    }
    expect(sent.deployData.groups).toHaveLength(2)
    line.tell('IAM', { msg: 'Access is set up', type: 'Success' })
    line.tell('Deploy', { state: 0, summary: 'done', lines: [] })
    expect(await screen.findByRole('button', { name: texts.goToApp })).toBeDefined()
  }, 15_000)

  it('says when nobody gets access', async () => {
    await open({ 'GET /iam/v2/groups': { data: [] } }, 'A-with-access', shop.id)
    await next(texts.infrastructure.text)
    await next(texts.access.text)
    expect(await screen.findByText(texts.access.noGroups)).toBeDefined()
    expect(screen.getByText(texts.access.noGroupsText)).toBeDefined()
    await next(texts.summary.install)
    expect(screen.getByText(texts.summary.nobody)).toBeDefined()
  }, 10_000)

  it.each([
    ['one person', { people: 1 }, texts.summary.onePerson],
    ['being counted', never, texts.summary.counting],
    ['a refusal', new Refusal(500, 'broken'), '!'],
  ])(
    'who gets access: %s',
    async (_, answer, shown) => {
      await open({ 'POST /iam/v2/groups/people': answer }, 'A-with-access', shop.id)
      await next(texts.infrastructure.text)
      await next(texts.access.text)
      await userEvent.click(await screen.findByRole('checkbox', { name: 'Crew' }))
      await next(texts.summary.install)
      const access = screen.getByRole('table', { name: texts.summary.access })
      await waitFor(() => expect(access.textContent).toContain(shown))
      expect(isDisabled(texts.deploy)).toBe(false)
    },
    10_000,
  )

  it('an app without resource roles has nothing to grant', async () => {
    await open({ [`POST ${helm}/actions.Assign`]: { ...app, resourceRoles: [] } }, 'A-with-access', shop.id)
    await next(texts.infrastructure.text)
    await next(texts.access.text)
    expect(await screen.findByText(texts.access.noRoles)).toBeDefined()
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Crew' }).disabled).toBe(true)
  }, 10_000)

  it.each([
    ['a refusal', new Refusal(403, 'not yours'), 'Reason: not yours'],
    ['a wait', never, 'Loading'],
  ])(
    'the groups: %s',
    async (_, answer, shown) => {
      await open({ 'GET /iam/v2/groups': answer }, 'A-with-access', shop.id)
      await next(texts.infrastructure.text)
      await next(texts.access.text)
      await waitFor(() => expect(document.body.textContent).toContain(shown))
      expect(isDisabled(texts.next)).toBe(false)
    },
    10_000,
  )

  it('many groups can be searched; ticking what a search shows ticks all of it', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      ...groups[0],
      id: `x${index}`,
      name: `Dock ${index}`,
      subGroups: [],
    }))
    await open({ 'GET /iam/v2/groups': { data: [...groups, ...many] } }, 'A-with-access', shop.id)
    await next(texts.infrastructure.text)
    await next(texts.access.text)
    const search = await screen.findByRole('searchbox', { name: `Search: ${texts.access.search}` })
    await userEvent.type(search, 'night')
    expect(screen.queryByText('Dock 1')).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Crew' }))
    await userEvent.clear(search)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Crew' }).checked).toBe(true)
    await userEvent.type(search, 'zzz')
    expect(screen.getByText(texts.noMatch)).toBeDefined()
  }, 10_000)
})

describe('the Serverless wizard', () => {
  it('allows Next at once, and says then what is missing', async () => {
    await open({}, 'E')
    expect(screen.queryByLabelText(texts.general.appName)).toBeNull()
    expect(isDisabled(texts.next)).toBe(false)
    await press(texts.next)
    expect(await screen.findByText(texts.general.spaceRequired)).toBeDefined()
    await select(/^SPACE/)
    await userEvent.click(await screen.findByRole('option', { name: /^Shop/ }))
    await next(texts.data.text)
    await next(texts.summary.install)
    expect(screen.queryByRole('table', { name: texts.summary.access })).toBeNull()
    expect(screen.queryByRole('rowheader', { name: texts.summary.values })).toBeNull()
    expect(button(texts.deploy)).toBeDefined()
  })
})

it('each step has the focus when it opens, so that a keyboard goes on from its beginning', async () => {
  const stands = (step: string) => waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(step))
  await open({}, 'A-with-access', shop.id)
  await stands(texts.general.step)
  await next(texts.infrastructure.text)
  await stands(texts.infrastructure.step)
  await next(texts.access.text)
  await stands(texts.access.step)
  await press(texts.previous)
  await stands(texts.infrastructure.step)
})

it('a focus that a busy button has let go of does not get behind the window', async () => {
  const behind = document.createElement('button')
  document.body.prepend(behind)
  await open({}, 'A', shop.id)
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(texts.general.step))
  for (const shift of [false, true]) {
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.tab({ shift })
    expect(document.activeElement?.closest('[role=dialog]')).not.toBeNull()
  }
  behind.remove()
})
