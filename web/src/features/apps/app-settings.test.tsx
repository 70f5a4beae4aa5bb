import { apps } from '@quayside/contract/apps/endpoints'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { anApp } from '../../testing/things.ts'
import { AppSettings } from './app-settings.tsx'

async function open(answers: Answers = {}, roles = ['catalog.deployments.manage'], app = anApp()) {
  const calls = serving({
    ...answer(permissions.myScopes, { data: [] }),
    ...answer(apps.patchApp, anApp()),
    ...answers,
  })
  drawInPortal(<AppSettings app={app} />, { roles })
  await screen.findByLabelText(/^Name/)
  return () => calls.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body])
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })

it('shows what the app says of itself', async () => {
  await open()
  const shown = ['Name', 'Short description', 'Description', 'Colour'].map((label) => field(label).value)
  expect(shown).toEqual(['Tank levels', 'Tanks', 'Reads tanks', '#1f8a70'])
})

it('sends exactly what was typed, and nothing without a name', async () => {
  const sent = await open()
  await userEvent.clear(field('Name'))
  expect(screen.getByText('Name required')).toBeDefined()
  expect(save().disabled).toBe(true)
  await userEvent.type(field('Name'), ' Levels ')
  fireEvent.change(field('Description'), { target: { value: 'All of them ' } })
  fireEvent.change(field('Colour'), { target: { value: '#123456' } })
  await userEvent.click(save())
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()).toEqual([
    [
      '/portal-api/v2/apps/7app001',
      {
        ...{ displayName: 'Levels', shortDescription: 'Tanks', description: 'All of them' },
        ...{ color: '#123456', tags: ['sensors'] },
      },
    ],
  ])
})

it('says why it was not saved, and keeps what was typed', async () => {
  await open(answer(apps.patchApp, new Refusal(409, 'An action works on the app')))
  await userEvent.type(field('Name'), ' two')
  await userEvent.click(save())
  expect((await screen.findByRole('alert', { name: /^Save: / })).textContent).toContain('An action works on the app')
  expect(field('Name').value).toBe('Tank levels two')
})

it('is closed to who only looks on', async () => {
  const sent = await open({}, ['catalog.deployments.view'])
  await waitFor(() => expect(save().getAttribute('aria-disabled')).toBe('true'))
  expect(screen.getByRole('group', { name: 'General' }).matches(':disabled')).toBe(true)
  expect(screen.getByRole('button', { name: 'Delete app' }).getAttribute('aria-disabled')).toBe('true')
  expect(sent()).toEqual([])
})

it.each([
  ['may deploy', 'catalog.deploy', null, 'open'],
  ['may deploy', 'catalog.deploy', 'tank-levels', 'closed'],
  ['manages apps', 'catalog.deployments.manage', 'tank-levels', 'open'],
])('to who %s (%s), with the release %s, change and deletion are %s', async (_, role, releaseName, state) => {
  await open({}, [role], anApp({ releaseName }))
  const remove = () => screen.getByRole('button', { name: 'Delete app' })
  const closed = state === 'closed' ? 'true' : null
  await waitFor(() =>
    expect([save(), remove()].map((one) => one.getAttribute('aria-disabled'))).toEqual([closed, closed]),
  )
})
