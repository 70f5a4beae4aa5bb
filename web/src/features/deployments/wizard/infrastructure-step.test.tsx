import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { drawInPortal, never, Refusal, serving } from '../../../testing/portal.tsx'
import { child, prepared, shop, well } from '../testing/samples.ts'
import { texts } from '../texts.ts'
import { InstallWizard } from './install/install-wizard.tsx'

const t = texts.infrastructure
const validate = 'PUT /deployment/v1/helm/deployment/validate/'
const next = () => screen.getByRole<HTMLButtonElement>('button', { name: texts.next })
const slow = { timeout: 4000 }

async function open(verdict: unknown, { roles = [] as string[], yaml = prepared.values.yaml } = {}) {
  const values = { ...prepared.values, yaml }
  const action = { id: 'action-1', running: false, state: 'Success', prepared: { ...prepared, values } }
  const calls = serving({ ...well, [validate]: verdict, 'GET /deployment/v1/actions/': action })
  drawInPortal(<InstallWizard child={child} spaceId={shop.id} kind="A" />, { roles })
  await screen.findByText(texts.general.text)
  await waitFor(() => expect(next().disabled).toBe(false))
  await userEvent.click(next())
  await screen.findByText(t.text)
  return calls
}

describe('the verdict on the values', () => {
  it('is waited for', async () => {
    await open(never)
    expect(await screen.findByText(t.validating)).toBeDefined()
    expect(screen.getByRole('progressbar', { name: t.validating })).toBeDefined()
    expect(next().disabled).toBe(true)
  })

  it('opens Next when it is good', async () => {
    await open({ provider: 'Schema', resultType: 'ok', success: true, lines: [], outside: null, remedy: [] })
    expect(await screen.findByText('Values are valid', {}, slow)).toBeDefined()
    expect(next().disabled).toBe(false)
  })

  it('that is good opens Next and has its notes at hand, each with who says it and where', async () => {
    const note = { message: 'tanks comes again in line 3', path: 'tanks', line: 2, isSummary: false, provider: 'YAML' }
    const lines = [
      { ...note, resultType: 'info' },
      { message: 'Schema OK', isSummary: true, resultType: 'ok', provider: 'Schema' },
    ]
    await open({ provider: 'Quota', resultType: 'ok', success: true, lines, outside: null, remedy: [] })
    expect(await screen.findByText(t.oneNote, {}, slow)).toBeDefined()
    expect(next().disabled).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: t.showDetails }))
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(
      'YAML: line 2: tanks comes again in line 3',
    )
    expect(screen.getByText('Schema OK')).toBeDefined()
  })

  const line = { message: 'tanks must be <= 5', path: 'tanks', line: 2, isSummary: false, resultType: 'error' }
  it.each([
    ['info', t.outcome.info],
    ['error', t.outcome.error],
    ['fatal', t.outcome.fatal],
  ])('that is not good keeps Next closed and tells its details: %s', async (resultType, word) => {
    await open({ provider: 'Schema', resultType, success: false, lines: [line], outside: null, remedy: [] })
    expect(await screen.findByText(t.failed, {}, slow)).toBeDefined()
    expect(next().disabled).toBe(true)
    expect(screen.queryByText(`Schema ${word}`)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: t.showDetails }))
    expect(screen.getByText(`Schema ${word}`)).toBeDefined()
    expect(document.body.textContent).toContain('tanks must be <= 5')
    await userEvent.click(screen.getByRole('button', { name: t.hideDetails }))
    expect(screen.queryByText(`Schema ${word}`)).toBeNull()
  })

  it('that is about what the chart rendered says which file and where in the object', async () => {
    const object = { kind: 'Deployment', name: 'web', source: 'web/templates/web.yaml', path: 'spec.replicas' }
    const refused = { message: 'Quota small: pods: 4 more needed', isSummary: false, resultType: 'error', object }
    await open({ provider: 'Quota', resultType: 'error', success: false, lines: [refused], outside: null, remedy: [] })
    await userEvent.click(await screen.findByRole('button', { name: t.showDetails }, slow))
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(
      'web/templates/web.yaml, Deployment web, spec.replicas: Quota small: pods: 4 more needed',
    )
  })

  it('on network policies that the chart can do without has them switched off by one click', async () => {
    const refused = { message: 'NetworkPolicy db is too wide', isSummary: false, resultType: 'error' }
    const remedy = [{ path: ['db', 'networkPolicy', 'enabled'], value: false }]
    const bad = { provider: 'Policy', resultType: 'error', success: false, lines: [refused], outside: null, remedy }
    const calls = await open(bad)
    const offer = await screen.findByRole('region', { name: texts.remedy.title }, slow)
    expect(within(offer).getByText(texts.remedy.text)).toBeDefined()
    expect(offer.textContent).toContain('db.networkPolicy.enabled=false')
    await userEvent.click(within(offer).getByRole('button', { name: texts.remedy.apply }))
    const yamls = () => calls.flatMap(({ body }) => (body as { yaml?: string } | undefined)?.yaml ?? [])
    await waitFor(() => expect(yamls().at(-1)).toMatch(/db:\n {2}networkPolicy:\n {4}enabled: false/), slow)
  })

  it('without a reason is an unknown error', async () => {
    await open({ provider: 'Helm', resultType: 'fatal', success: false, lines: [], outside: null, remedy: [] })
    await userEvent.click(await screen.findByRole('button', { name: t.showDetails }, slow))
    expect(screen.getByText(t.unknownError)).toBeDefined()
  })

  it('that cannot be given is a communication error', async () => {
    await open(new Refusal(500, 'broken'))
    await userEvent.click(await screen.findByRole('button', { name: t.showDetails }, slow))
    expect(document.body.textContent).toContain(t.communicationError)
    expect(next().disabled).toBe(true)
  })
})

it('a portal that is away is said, with Next closed, instead of a verdict', async () => {
  await open(new Refusal(503, 'away'))
  expect(await screen.findByText(texts.away, {}, slow)).toBeDefined()
  expect(screen.queryByText(t.failed)).toBeNull()
  expect(next().disabled).toBe(true)
})

describe('form and YAML', () => {
  it('can be switched only by those who may write YAML', async () => {
    await open(never)
    expect(screen.queryByRole('button', { name: t.form })).toBeNull()
    const closed = screen.getByRole('button', { name: t.yaml })
    expect(closed.getAttribute('aria-disabled')).toBe('true')
    expect(closed.getAttribute('aria-pressed')).toBeNull()
    cleanup()
    await open(never, { roles: ['catalog.apps.deploy.infrastructure.yaml'] })
    expect(screen.getByRole('button', { name: t.form }).getAttribute('aria-pressed')).toBe('true')
    expect(screen.getByRole('button', { name: t.yaml }).getAttribute('aria-pressed')).toBe('false')
  })

  it('a text that cannot be read stays as YAML and says ERROR with the place', async () => {
    await open(never, { roles: ['catalog.apps.deploy.infrastructure.yaml'], yaml: 'tanks: [1\n' })
    await userEvent.click(screen.getByRole('button', { name: t.yaml }))
    await userEvent.click(screen.getByRole('button', { name: t.form }))
    expect(await screen.findByText(new RegExp(`^${t.conversionFailed}: `))).toBeDefined()
    expect(screen.getByRole('button', { name: t.yaml }).getAttribute('aria-pressed')).toBe('true')
  }, 10_000)

  it('a chart without values says so in its YAML, which can be accepted', async () => {
    const calls = await open(
      { provider: 'YAML', resultType: 'ok', success: true, lines: [], outside: null, remedy: [] },
      { yaml: '' },
    )
    await waitFor(() => expect(next().disabled).toBe(false), slow)
    expect(calls.find(({ path }) => path.includes('/validate/'))?.body).toMatchObject({ yaml: t.defaultYaml })
  })
})
