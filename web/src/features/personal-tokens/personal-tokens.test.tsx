import { type PersonalToken, personalTokens } from '@quayside/contract/personal-tokens/endpoints'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { aSpace, pageOf } from '../../testing/things.ts'
import { OwnTokens } from './own-tokens.tsx'
import { TokensOfUser } from './tokens-of-user.tsx'

const settings = { enabled: true, longestDays: 60 }
const whole: PersonalToken = {
  ...{ id: 't1', name: 'Nightly', readOnly: false, spaces: null, createdAt: '2026-01-01T00:00:00Z' },
  ...{ expiresAt: '2999-01-01T00:00:00Z', lastUsedAt: null },
}
const narrow: PersonalToken = {
  ...{ ...whole, id: 't2', name: 'Figures', readOnly: true, expiresAt: '2026-01-02T00:00:00Z' },
  spaces: [
    { id: 's1', name: 'Harbour' },
    { id: 's2', name: null },
  ],
}

function open(answers: Answers = {}) {
  const calls = serving({
    ...answer(personalTokens.listTokens, { data: [whole, narrow], settings }),
    ...answer(
      spaces.listSpaces,
      pageOf(aSpace({ id: 's1', displayName: 'Harbour' }), aSpace({ id: 's3', displayName: 'Quarry' })),
    ),
    ...answers,
  })
  drawInPortal(<OwnTokens />)
  return calls
}
const changes = (calls: ReturnType<typeof open>) => calls.filter(({ method }) => method !== 'GET')
const begin = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'New token' }))
  return within(await screen.findByRole('dialog', { name: 'New personal token' }))
}

it('shows each token with what it reaches, and whether it has expired', async () => {
  open()
  const table = await screen.findByRole('table', { name: 'Personal tokens' })
  const row = async (name: string) => (await within(table).findByText(name)).closest('tr')?.textContent
  expect(await row('Nightly')).toContain('Reads and changes whatever its owner may')
  expect(await row('Nightly')).toContain('Never')
  expect(await row('Figures')).toContain('Reads in Harbour, a space that is not shown')
  expect(await row('Figures')).toContain('Expired')
})

it('makes a token that only reads and lives for a month, and shows its secret once', async () => {
  const secret = `qsp_${'a'.repeat(46)}`
  const calls = open(answer(personalTokens.createToken, { ...whole, name: 'Export', secret }))
  const dialog = await begin()
  expect(dialog.getByRole('button', { name: 'Create' })).toHaveProperty('disabled', true)
  await userEvent.type(dialog.getByLabelText(/^Name/), ' Export ')
  await userEvent.click(dialog.getByRole('button', { name: 'Create' }))
  const shown = await screen.findByRole('dialog', { name: 'Export is ready' })
  expect((within(shown).getByLabelText('Token') as HTMLInputElement).value).toBe(secret)
  expect(changes(calls)[0]?.body).toEqual({ name: 'Export', days: 30, readOnly: true, spaceIds: null })
  await userEvent.click(within(shown).getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByDisplayValue(secret)).toBeNull())
})

it('makes one for some spaces, which have to be chosen', async () => {
  const calls = open(answer(personalTokens.createToken, { ...whole, secret: 'qsp_x' }))
  const dialog = await begin()
  await userEvent.type(dialog.getByLabelText(/^Name/), 'Deploy')
  await userEvent.click(dialog.getByRole('radio', { name: 'Read and change, as you may at that moment' }))
  await userEvent.click(dialog.getByRole('radio', { name: 'Only in some spaces' }))
  expect(dialog.getByRole('button', { name: 'Create' })).toHaveProperty('disabled', true)
  await userEvent.click(await dialog.findByRole('checkbox', { name: 'Quarry' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(changes(calls)[0]?.body).toMatchObject({ readOnly: false, spaceIds: ['s3'] }))
})

it('takes no life beyond the limit of the tenant, and says what the server says of it', async () => {
  const refusal = new Refusal(400, 'days: at most 30 in this tenant')
  open(answer(personalTokens.createToken, refusal))
  const dialog = await begin()
  await userEvent.type(dialog.getByLabelText(/^Name/), 'Long')
  const days = dialog.getByLabelText(/^Days/)
  await userEvent.clear(days)
  await userEvent.type(days, '61')
  expect(await dialog.findByText('A number of days from 1 to 60')).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Create' })).toHaveProperty('disabled', true)
  await userEvent.clear(days)
  await userEvent.type(days, '60')
  await userEvent.click(dialog.getByRole('button', { name: 'Create' }))
  expect((await dialog.findByRole('alert', { name: /New personal token/ })).textContent).toContain('at most 30')
})

it('deletes a token after a question, and says why it cannot', async () => {
  const calls = open(answer(personalTokens.deleteToken, new Refusal(503, 'The database is away'), { id: 't1' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Nightly' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const question = within(await screen.findByRole('dialog', { name: 'Delete token' }))
  expect(changes(calls)).toEqual([])
  await userEvent.click(question.getByRole('button', { name: 'Confirm' }))
  expect((await screen.findByRole('alert', { name: /^Delete token: / })).textContent).toContain('The database is away')
})

it('says that there are none, that they are switched off, and why they could not be read', async () => {
  open(answer(personalTokens.listTokens, { data: [], settings: { ...settings, enabled: false } }))
  expect(await screen.findByText('No personal tokens')).toBeDefined()
  expect(screen.getByText(/^Personal tokens are switched off/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'New token' })).toBeNull()
  cleanup()
  open(answer(personalTokens.listTokens, new Refusal(500, 'The portal is away')))
  expect((await screen.findByRole('alert', { name: /^Personal tokens: / })).textContent).toContain('The portal is away')
})

it('shows tokens of a user, and deletes one', async () => {
  const calls = serving({
    ...answer(personalTokens.listTokensOf, { data: [whole] }, { id: 'u1' }),
    ...answer(personalTokens.deleteTokenOf, undefined, { id: 'u1', tid: 't1' }),
  })
  drawInPortal(<TokensOfUser id="u1" name="mara" />, {
    more: { 'quayside-portal-ui-iam-users': ['users.credentials.manage'] },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Nightly' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const question = within(await screen.findByRole('dialog', { name: 'Delete token' }))
  expect(question.getByText(/^Delete Nightly of mara\?/)).toBeDefined()
  await userEvent.click(question.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(changes(calls)[0]?.path).toBe('/iam/v3/users/u1/tokens/t1'))
})
