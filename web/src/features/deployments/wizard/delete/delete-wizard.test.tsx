import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Answers, drawInPortal, never, Refusal, serving } from '../../../../testing/portal.tsx'
import { app, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { DeleteWizard } from './delete-wizard.tsx'
import { GenericDelete } from './generic-delete.tsx'

const t = texts.remove
const at = 'GET /deployment/v1/helm/deployment/leftovers/'
const volume = {
  id: 'PersistentVolumeClaim/shop/data-0',
  what: 'object',
  kind: 'PersistentVolumeClaim',
  name: 'data-0',
  namespace: 'shop',
  why: 'Kubernetes keeps the volumes of StatefulSet store',
  detail: '8Gi',
  byDefault: 'keep',
  refusal: null,
}
const definition = { ...volume, id: 'Crd//ships', kind: 'Crd', name: 'ships', namespace: null, refusal: 'It is in use' }
const grants = { ...volume, id: 'grants', what: 'grants', kind: 'Grants', name: 'Crew', byDefault: 'remove' }

const remove = () => screen.getByRole<HTMLButtonElement>('button', { name: texts.delete })
const radio = (of: string, name: string) =>
  within(screen.getByRole('group', { name: of })).getByRole<HTMLInputElement>('radio', { name })

describe.each([
  ['the delete wizard', DeleteWizard],
  ['the delete dialog of Serverless apps', GenericDelete],
])('%s', (_, Wizard) => {
  function open(answers: Answers) {
    const calls = serving({ ...well, ...answers })
    drawInPortal(<Wizard app={app} />)
    return calls
  }

  it('is closed neither by Escape nor by a click outside', async () => {
    open({ [at]: { data: [] } })
    await screen.findByText(t.nothingLeft)
    await userEvent.keyboard('{Escape}')
    for (const outside of ['.mantine-Modal-overlay', '.mantine-Modal-inner']) {
      const found = document.querySelector(outside)
      expect(found).not.toBeNull()
      if (found !== null) await userEvent.click(found)
    }
    expect(screen.getByRole('dialog')).toBeDefined()
    expect(remove().disabled).toBe(false)
  })

  it('waits for the list before it can be started', async () => {
    open({ [at]: never })
    expect(await screen.findByText('Loading')).toBeDefined()
    expect(remove().disabled).toBe(true)
  })

  it('says when nothing would be left', async () => {
    open({ [at]: { data: [] } })
    expect(await screen.findByText(t.nothingLeft)).toBeDefined()
    expect(remove().disabled).toBe(false)
  })

  it('says when the list cannot be had, and can be started all the same', async () => {
    open({ [at]: new Refusal(502, 'The cluster could not be reached.') })
    expect((await screen.findByRole('alert')).textContent).toContain('The cluster could not be reached.')
    expect(remove().disabled).toBe(false)
  })

  it('keeps or removes each as chosen, and only says what differs from the usual', async () => {
    const calls = open({ [at]: { data: [volume, definition, grants] } })
    expect(await screen.findByText(t.leftoversText)).toBeDefined()
    expect(screen.getByRole('heading', { name: t.leftovers })).toBeDefined()
    expect(radio('PersistentVolumeClaim data-0', t.keep).checked).toBe(true)
    expect(radio('Grants Crew', t.remove).checked).toBe(true)
    expect(radio('Crd ships', t.remove).disabled).toBe(true)
    expect(screen.getByText('It is in use')).toBeDefined()
    await userEvent.click(radio('PersistentVolumeClaim data-0', t.remove))
    await userEvent.click(radio('Grants Crew', t.keep))
    await userEvent.click(remove())
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('actions.Delete'))).toBe(true))
    const sent = calls.find(({ path }) => path.endsWith('actions.Delete'))?.body
    expect(sent).toMatchObject({
      leftovers: [
        { id: volume.id, choice: 'remove' },
        { id: 'grants', choice: 'keep' },
      ],
    })
  })
})

it('the wizard shows what it is about', async () => {
  serving(well)
  drawInPortal(<DeleteWizard app={app} />)
  await screen.findByText(t.nothingLeft)
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    t.appName,
    t.release,
    t.version,
    t.namespace,
  ])
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    app.displayName,
    app.releaseName,
    `1.0.0${t.revision}3`,
    app.namespace,
  ])
  expect(screen.getByRole('button', { name: texts.cancel })).toBeDefined()
})

describe('the dialog', () => {
  it('asks, waits for the end, and says how a failed one ended', async () => {
    const failed = {
      id: 'action-1',
      running: false,
      state: 'Failed',
      result: { state: 1, summary: 'It broke', lines: [] },
    }
    let end: (action: object) => void = () => undefined
    const ending = new Promise<object>((resolve) => {
      end = resolve
    })
    serving({ ...well, 'GET /deployment/v1/actions/': () => ending })
    drawInPortal(<GenericDelete app={app} />)
    expect(await screen.findByRole('heading', { name: t.step })).toBeDefined()
    expect(document.body.textContent).toContain(`${texts.delete} ${app.displayName} ${t.question}`)
    await waitFor(() => expect(remove().disabled).toBe(false))
    await userEvent.click(remove())
    expect(await screen.findByRole('progressbar', { name: t.deleting })).toBeDefined()
    expect(screen.getByText(texts.progress.goesOn)).toBeDefined()
    expect(screen.getByRole('button', { name: texts.close })).toBeDefined()
    end(failed)
    expect((await screen.findByRole('alert')).textContent).toContain('It broke')
    expect(screen.getByRole('button', { name: texts.cancel })).toBeDefined()
  })
})
