import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { Socket } from 'socket.io-client'
import { describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { type Answers, drawInPortal, liveLine, Refusal, serving } from '../../../testing/portal.tsx'
import { anAction } from '../../../testing/things.ts'
import { app } from '../testing/samples.ts'
import { type ProgressAction, progressWords, texts } from '../texts.ts'
import { ProgressWizard } from './progress-wizard.tsx'
import { cardOfApp } from './wizard-card.ts'

const t = texts.progress
const actions: ProgressAction[] = ['Deploy', 'Upgrade', 'Rollback', 'Delete']
const has = (name: string) => screen.queryByRole('button', { name })?.getAttribute('aria-disabled') === null
const isClosed = (name: string | RegExp) =>
  screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true'
const heading = (name: string) => screen.findByRole('heading', { level: 2, name })
const bar = () => screen.getByRole('progressbar')
const log = () => screen.getByRole('log')
const result = (state: 0 | 1 | 2, summary = 'Summed up') => ({ state, summary, lines: [] })

type Person = { roles?: string[]; sections?: string[]; wasSeen?: boolean; canRetry?: boolean }

async function run(action: ProgressAction, answers: Answers = {}, given: Person = {}) {
  const { wasSeen = false, canRetry = true, ...person } = given
  const calls = serving({ 'GET /portal-api/v2/apps/': app, ...answers })
  const line = liveLine()
  const queries = createQueryClient()
  if (wasSeen) queries.setQueryData(['apps', app.id], app)
  drawInPortal(
    <ProgressWizard
      action={action}
      releaseName="release"
      appId={app.id}
      sent={{ actionId: 'action-1' }}
      socket={line.socket as unknown as Socket}
      card={cardOfApp(app)}
      steps={[t.step]}
      place="somewhere"
      {...(canRetry && { onRetry: () => undefined })}
    />,
    { line, queries, ...person },
  )
  await heading(progressWords[action].header.running)
  return { line, calls }
}

describe.each(actions)('%s', (action) => {
  const { header, task } = progressWords[action]

  it('runs, and can be left', async () => {
    const { line } = await run(action)
    expect(screen.getByText(t.currentTask)).toBeDefined()
    expect(screen.getByText(t.progress)).toBeDefined()
    expect(screen.getByText(t.goesOn)).toBeDefined()
    expect(has(task.running)).toBe(true)
    expect(has(t.iam.running)).toBe(action === 'Deploy')
    expect(bar().getAttribute('aria-valuenow')).toBeNull()
    expect(has(texts.close)).toBe(true)
    expect(has(texts.goToApp)).toBe(false)
    expect(has(texts.previous)).toBe(action === 'Delete')
    line.tell('message', { type: 'helm', message: 'creating 3 resources', level: 'info' })
    await waitFor(() => expect(log().textContent).toContain('creating 3 resources'))
  })

  it('names what it waits for: to be ready, or to be gone', async () => {
    const { line } = await run(action)
    const web = { kind: 'Deployment', name: 'web', ready: false, detail: 'Still there', lastEvent: null }
    const done = { ...web, name: 'db', ready: true }
    line.tell('waiting', { actionId: 'action-1', releaseName: 'x', ready: 1, total: 2, objects: [web, done] })
    const isRemoval = action === 'Delete'
    const title = isRemoval ? 'WAITING UNTIL 1 OF 2 ARE REMOVED' : 'WAITING FOR 1 OF 2'
    expect(await screen.findByRole('heading', { level: 3, name: title })).toBeDefined()
    expect(screen.getByRole('img', { name: isRemoval ? 'Removed' : 'Ready' })).toBeDefined()
  })

  it('ends well', async () => {
    const { line } = await run(action)
    line.tell(action, result(0))
    await heading(header.done)
    expect(has(task.done)).toBe(true)
    expect(bar().getAttribute('aria-valuenow')).toBe('100')
    expect(has(texts.goToApp)).toBe(action !== 'Delete')
    expect(has(texts.previous)).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: task.done }))
    expect(screen.getByRole('status').textContent).toContain('Summed up')
  })

  it('fails, says why and what can be done', async () => {
    const { line } = await run(action)
    line.tell(action, result(1, 'It broke'))
    await heading(header.failed)
    expect(has(task.failed)).toBe(true)
    expect(screen.getByRole('alert').textContent).toContain('It broke')
    expect(has(texts.goToApp)).toBe(false)
    expect(has(t.openApp)).toBe(true)
    expect(has(t.again)).toBe(true)
    expect(await screen.findByText(t.advice[action])).toBeDefined()
  })

  it('offers nothing to try again in words where there is no button for it', async () => {
    const { line } = await run(action, {}, { canRetry: false })
    if (action === 'Deploy') line.tell('IAM', { msg: 'No group', type: 'GroupFaild' })
    line.tell(action, result(1, 'It broke'))
    await heading(header.failed)
    expect(has(t.again)).toBe(false)
    expect(await screen.findByText(t.adviceOnly[action])).toBeDefined()
    if (action !== 'Deploy') return
    await userEvent.click(screen.getByRole('button', { name: t.iam.failed }))
    expect(await screen.findByText(t.adviceOnly.iam)).toBeDefined()
  })

  it('whose app somebody has deleted meanwhile says so, by whom, and what is left to do', async () => {
    const deletion = { startedBy: 'noor', finishedAt: new Date(Date.now() - 125_000).toISOString() }
    const { line, calls } = await run(
      action,
      {
        'GET /portal-api/v2/apps/': new Refusal(404, 'This app does not exist.'),
        'GET /deployment/v1/actions?': { data: [deletion] },
      },
      { roles: ['catalog.deploy'], wasSeen: true },
    )
    line.tell(action, result(1, 'It broke'))
    await heading(header.failed)
    const told = screen.getByRole('alert')
    await waitFor(() =>
      expect(told.textContent).toContain('This app does not exist any more: noor has deleted it 2 min ago.'),
    )
    expect(told.textContent).toContain(texts.gone.next)
    expect(told.textContent).not.toContain(t.advice[action])
    expect([has(t.openApp), has(t.again), has(texts.goToApp), has(texts.close)]).toEqual([false, false, false, true])
    expect(calls.find(({ path }) => path.startsWith('/deployment/v1/actions?'))?.path).toContain(app.id)
    expect(has(texts.gone.installAgain)).toBe(true)
  })

  it('a timeout is a message and not the end', async () => {
    const { line } = await run(action)
    line.tell('helmresult', result(2))
    await waitFor(() => expect(log().textContent).toContain(t.timeout))
    await heading(header.running)
    line.tell('hookresult', result(0))
    await heading(header.done)
    expect(screen.getByText('Deployment finished')).toBeDefined()
  })

  it('is taken back while nobody has begun it, or says that it is too late', async () => {
    const words = { Deploy: texts.cancelDeployment, Upgrade: texts.cancelUpgrade, Rollback: texts.cancelRollback }
    const word = { ...words, Delete: texts.cancel }[action]
    const { line, calls } = await run(action, { 'POST /deployment/v1/actions/': new Refusal(409, 'It has begun.') })
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: word }).disabled).toBe(false))
    await userEvent.click(screen.getByRole('button', { name: word }))
    expect(calls.at(-1)?.path).toBe('/deployment/v1/actions/action-1/cancel')
    expect(await screen.findByText('It has begun.')).toBeDefined()
    line.tell(action, result(1, 'Cancelled'))
    await heading(header.failed)
    expect(has(word)).toBe(false)
  })

  it('is aborted after a question once Helm has started, and asks what is to become of what is left', async () => {
    const words = { Deploy: texts.cancelDeployment, Upgrade: texts.cancelUpgrade, Rollback: texts.cancelRollback }
    const left = { release: 'failed' as const, revision: 2, rollbackTo: 1, objects: ['Deployment web'], objectCount: 1 }
    const { line, calls } = await run(action, {
      'POST /deployment/v1/actions/action-1/cancel': new Refusal(409, 'Too late.', 'deployment.not-waiting'),
      'POST /deployment/v1/actions/action-1/abort': anAction({ kind: action }),
      'GET /deployment/v1/actions/action-1': anAction({
        kind: action,
        state: 'Failed',
        abortedBy: 'noor',
        leftBehind: left,
      }),
    } as Answers)
    await userEvent.click(screen.getByRole('button', { name: { ...words, Delete: texts.cancel }[action] }))
    expect((await screen.findByRole('dialog', { name: 'Abort action' })).textContent).toContain(`Abort this ${action}?`)
    expect(calls.at(-1)?.path).toBe('/deployment/v1/actions/action-1/cancel')
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(calls.at(-1)?.path).toBe('/deployment/v1/actions/action-1/abort'))
    line.tell(action, result(1, 'Aborted'))
    await heading(header.failed)
    expect(await screen.findByRole('heading', { name: texts.leftBehind.heading })).toBeDefined()
    const ways = ['Roll back to revision 1', texts.leftBehind.remove, texts.leftBehind.keep]
    expect(ways.map(has)).toEqual([true, true, true])
  })
})

it.each([
  ['who may not install', { roles: ['catalog.deployments.manage'], wasSeen: true }],
  ['an app of which nothing was seen', { roles: ['catalog.deploy'] }],
])('offers no installation to %s, and says no name that it does not know', async (_, more) => {
  const gone = { 'GET /portal-api/v2/apps/': new Refusal(404, 'gone') }
  const { line } = await run('Upgrade', { ...gone, 'GET /deployment/v1/actions?': new Refusal(403, 'no') }, more)
  line.tell('Upgrade', result(1))
  expect(await screen.findByText(new RegExp(`^${texts.gone.gone} ${texts.gone.next}$`))).toBeDefined()
  expect([has(texts.gone.installAgain), has(t.openApp), has(t.again)]).toEqual([false, false, false])
})

it('who cannot be told whether the app is there gets the usual advice', async () => {
  const { line } = await run('Rollback', { 'GET /portal-api/v2/apps/': new Refusal(503, 'away') })
  line.tell('Rollback', result(1))
  expect(await screen.findByText(t.advice.Rollback)).toBeDefined()
})

it('listens to its release while it is open, and to nothing once it is closed', async () => {
  const { line } = await run('Deploy')
  const said = () => line.socket.emit.mock.calls.map(([name, what]) => [name, what])
  await waitFor(() =>
    expect(said()).toContainEqual(['register', { releaseName: 'release', lastSeq: 0, actionId: 'action-1' }]),
  )
  cleanup()
  expect(said().at(-1)).toEqual(['deregister', 'release'])
})

it('a message of a type that nobody knows is logged, and shown with those of the deployment', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { line } = await run('Deploy')
  line.tell('message', { type: 'odd', message: 'something new', level: 'info' })
  line.tell('message', { type: 'helm', message: 'creating 3 resources', level: 'info' })
  await waitFor(() => expect(log().textContent).toContain('something new'))
  expect(warned.mock.calls).toEqual([["Unsupported message type 'odd'"]])
  warned.mockRestore()
})

it('an IAM step that failed is told apart from the deployment', async () => {
  const { line } = await run('Deploy')
  line.tell('message', { type: 'iam', message: 'A role could not be made', level: 'error' })
  line.tell('IAM', { msg: 'A role could not be made', type: 'RolesFailed' })
  line.tell('Deploy', result(1))
  await heading('Deployment Failed')
  expect(t.iam.failed).toBe('IAM Failed')
  await userEvent.click(screen.getByRole('button', { name: t.iam.failed }))
  expect(log().textContent).toContain('A role could not be made')
})

it('an IAM step that went well says so', async () => {
  const { line } = await run('Deploy')
  line.tell('IAM', { msg: 'Access is set up', type: 'Success' })
  await waitFor(() => expect(has(t.iam.done)).toBe(true))
})

describe('somebody else', () => {
  const viewer = { roles: ['catalog.deployments.view'] }

  it.each(actions)('who may only look on neither cancels %s nor tries it again', async (action) => {
    const { line } = await run(action, {}, viewer)
    await waitFor(() => expect(log().textContent).toBe('No lines yet.'))
    expect(isClosed(/^Cancel/)).toBe(true)
    line.tell(action, result(1))
    await heading(progressWords[action].header.failed)
    expect(isClosed(t.again)).toBe(true)
    expect(has(t.openApp)).toBe(true)
  })

  it('who deploys without managing may take back and try again what is deployed first', async () => {
    const { line } = await run('Deploy', {}, { roles: ['catalog.deploy'] })
    expect(has(texts.cancelDeployment)).toBe(true)
    line.tell('Deploy', result(1))
    await heading('Deployment Failed')
    expect(has(t.again)).toBe(true)
  })

  it('who may not open apps is not sent there', async () => {
    const { line } = await run('Deploy', {}, { roles: ['catalog.deploy'], sections: [] })
    line.tell('Deploy', result(0))
    await heading('Deployment Finished')
    expect(has(texts.goToApp)).toBe(false)
    expect(has(texts.close)).toBe(true)
  })
})
