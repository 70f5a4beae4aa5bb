import { type AppLink, appLinks } from '@quayside/contract/app-links/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { firstOf, pageOf } from '../../testing/things.ts'
import { AppLinkList } from './app-link-list.tsx'

const at = '2026-01-01T00:00:00.000Z'
const link = (more: Partial<AppLink> = {}): AppLink => ({
  ...{ id: 'wiki1', name: 'Wiki', url: 'https://wiki.example.org/', description: 'Written down', color: null },
  ...{ tags: ['docs'], createdAt: at, createdBy: 'mara', updatedAt: at, updatedBy: 'service-account-nightly' },
  ...more,
})

function open(answers: Answers = {}, { at: address = '/', held = ['apps.create'] } = {}) {
  const calls = serving({
    ...answer(appLinks.listAppLinks, pageOf(link())),
    ...answer(permissions.myScopes, { data: [] }),
    ...answers,
  })
  const more = { 'quayside-portal-ui-apps': ['access', ...held] }
  const { router } = drawInPortal(<AppLinkList />, { at: address, more })
  const list = pathOf(appLinks.listAppLinks)
  const lists = () => calls.flatMap(({ method, path }) => (method === 'GET' && path.startsWith(list) ? [path] : []))
  const sent = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
  return { lists, sent, where: () => router.state.location.href }
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name)
const entry = async (name: string, of = 'Wiki') => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${of}` }))
  return screen.findByRole('menuitem', { name })
}
/** The field says this beneath it, and is marked. */
const saysOf = async (name: RegExp, text: string) => {
  await waitFor(() => expect(field(name).getAttribute('aria-invalid')).toBe('true'))
  const said = field(name).getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(said)?.textContent).toContain(text)
}

testListPage({
  open,
  list: appLinks.listAppLinks,
  filled: pageOf(link()),
  none: pageOf(),
  label: 'App links',
  row: {
    ...{ Name: 'Wiki opens in a new tabhttps://wiki.example.org/', Description: 'Written down', Tags: 'docs' },
    Changed: /nightly$/,
  },
  empty: 'No app links yet',
})

it('a name opens its address in a new tab that gets no way back', async () => {
  open()
  const name = await screen.findByRole('link', { name: /^Wiki/ })
  expect(name.getAttribute('href')).toBe('https://wiki.example.org/')
  expect(name.getAttribute('target')).toBe('_blank')
  expect(name.getAttribute('rel')).toBe('noopener noreferrer')
})

it('the tooltip of a name holds the whole of it and of its address', async () => {
  const name = 'A name that is longer than its place, مع نص عربي طويل'
  const url = `https://wiki.example.org/${'long/'.repeat(40)}`
  open(answer(appLinks.listAppLinks, pageOf(link({ name, url }))))
  await userEvent.hover(await screen.findByRole('link', { name: new RegExp(`^${name}`) }))
  const tip = await screen.findByRole('tooltip')
  expect(tip.textContent).toContain(name)
  expect(tip.textContent).toContain(url)
})

it('asks the server for the search, the tag, the order and the page that the address names', async () => {
  const { lists } = open(answer(appLinks.listAppLinks, firstOf(120, link())), {
    at: '/?q=wiki&tag=docs&sort=-updatedAt&skip=50',
  })
  await screen.findByRole('rowheader')
  for (const part of ['search=wiki', 'filters.tag=docs', 'sort.updatedAt=DESC', 'page.skip=50'])
    expect(lists()[0]).toContain(part)
})

it('offers the tags of the page, and begins at the first page with one', async () => {
  const { lists, where } = open(answer(appLinks.listAppLinks, firstOf(120, link())), { at: '/?skip=50' })
  await screen.findByRole('rowheader')
  await userEvent.click(screen.getByRole('button', { name: /^Tag/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'docs' }))
  await waitFor(() => expect(lists().at(-1)).toContain('filters.tag=docs'))
  expect(where()).toBe('/?tag=docs')
})

it('says that nothing matches, and takes the filters away', async () => {
  const { where } = open(answer(appLinks.listAppLinks, pageOf()), { at: '/?q=zzz&tag=docs' })
  await userEvent.click(await screen.findByRole('button', { name: 'Clear search and filters' }))
  expect(await screen.findByText('No app links yet')).toBeDefined()
  expect(where()).toBe('/')
})

it('leads from a page that has no links any more to the first one', async () => {
  const { where } = open(answer(appLinks.listAppLinks, { ...pageOf(), page: { skip: 50, limit: 50, total: 50 } }), {
    at: '/?skip=50',
  })
  await userEvent.click(await screen.findByRole('button', { name: 'To the first page' }))
  await waitFor(() => expect(where()).toBe('/'))
})

describe('a new link', () => {
  async function dialog(answers: Answers = {}) {
    const calls = open({ ...answer(appLinks.addAppLink, link()), ...answers })
    await screen.findByRole('rowheader')
    await userEvent.click(button('New app link'))
    await screen.findByRole('dialog', { name: 'New app link' })
    return calls
  }

  it('is sent as it was typed, and the list is read again', async () => {
    const { sent, lists } = await dialog()
    const before = lists().length
    await userEvent.type(field(/^Name/), ' Handbook ')
    await userEvent.type(field(/^Address/), ' https://wiki.example.org/handbook ')
    await userEvent.type(field(/^Tags/), 'docs,team{Enter}')
    await userEvent.click(button('Create app link'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const body = { name: 'Handbook', url: 'https://wiki.example.org/handbook', tags: ['docs', 'team'] }
    expect(sent()).toEqual([['POST', '/portal-api/v2/applinks', body]])
    await waitFor(() => expect(lists().length).toBeGreaterThan(before))
  })

  it.each([
    ['', 'Address required'],
    ['javascript:alert(1)', 'The address must be complete and begin with http:// or https://.'],
    ['wiki.example.org', 'The address must be complete and begin with http:// or https://.'],
    ['https://mara:secret@wiki.example.org', 'must not have a user name or a password'],
  ])('is not sent with the address "%s"', async (url, said) => {
    const { sent } = await dialog()
    if (url !== '') await userEvent.type(field(/^Address/), url)
    await userEvent.click(button('Create app link'))
    await saysOf(/^Name/, 'Name required')
    await saysOf(/^Address/, said)
    expect(sent()).toEqual([])
  })

  it.each([
    ['name', /^Name/],
    ['url', /^Address/],
    ['description', /^Description/],
  ] as const)('that the server refuses for its %s says so at the field and keeps what was typed', async (name, of) => {
    const refusal = Object.assign(new Refusal(409, 'The server does not want this'), { field: name })
    await dialog(answer(appLinks.addAppLink, refusal))
    await userEvent.type(field(/^Name/), 'Wiki')
    await userEvent.type(field(/^Address/), 'https://wiki.example.org')
    await userEvent.click(button('Create app link'))
    await saysOf(of, 'The server does not want this')
    expect(field(/^Name/).value).toBe('Wiki')
    expect(screen.queryByText('Status code:')).toBeNull()
    await userEvent.type(field(of), 'x')
    await waitFor(() => expect(field(of).getAttribute('aria-invalid')).toBe('false'))
  })

  it('that the server refuses for anything else says so in the dialog', async () => {
    await dialog(answer(appLinks.addAppLink, new Refusal(503, 'The database is away')))
    await userEvent.type(field(/^Name/), 'Wiki')
    await userEvent.type(field(/^Address/), 'https://wiki.example.org')
    await userEvent.click(button('Create app link'))
    expect((await screen.findByRole('alert', { name: /^New app link: / })).textContent).toContain(
      'The database is away',
    )
  })
})

describe('a link that is there', () => {
  it('is changed by what was typed, and by nothing else', async () => {
    const { sent } = open(answer(appLinks.changeAppLink, link()))
    await userEvent.click(await entry('Edit'))
    await screen.findByRole('dialog', { name: 'Edit app link' })
    expect(field(/^Address/).value).toBe('https://wiki.example.org/')
    await userEvent.type(field(/^Name/), ' and more')
    await userEvent.click(button('Remove tag docs'))
    await userEvent.click(button('Save'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent()).toEqual([
      ['PUT', '/portal-api/v2/applinks/wiki1', { name: 'Wiki and more', url: 'https://wiki.example.org/', tags: [] }],
    ])
  })

  it('gets back the colour of its name', async () => {
    const coloured = link({ color: '#112233' })
    const { sent } = open({
      ...answer(appLinks.listAppLinks, pageOf(coloured)),
      ...answer(appLinks.changeAppLink, coloured),
    })
    await userEvent.click(await entry('Edit'))
    expect((await screen.findByLabelText<HTMLInputElement>('Colour')).value).toBe('#112233')
    await userEvent.click(button('Colour of the name'))
    expect(screen.queryByRole('button', { name: 'Colour of the name' })).toBeNull()
    await userEvent.click(button('Save'))
    await waitFor(() => expect(sent().map(([, , body]) => body)).toEqual([expect.objectContaining({ color: null })]))
  })

  it('is deleted after a question', async () => {
    const { sent } = open(answer(appLinks.deleteAppLink, undefined))
    await userEvent.click(await entry('Delete'))
    const question = await screen.findByRole('dialog', { name: 'Delete app link' })
    expect(question.textContent).toContain('Delete Wiki?')
    expect(sent()).toEqual([])
    await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(sent()).toEqual([['DELETE', '/portal-api/v2/applinks/wiki1', undefined]]))
  })

  it('says why it was not deleted', async () => {
    open(answer(appLinks.deleteAppLink, new Refusal(404, 'This app link does not exist.')))
    await userEvent.click(await entry('Delete'))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }))
    const told = await screen.findByRole('dialog', { name: 'The app link was not deleted' })
    expect(told.textContent).toContain('This app link does not exist.')
  })
})

it('is closed to who only looks on', async () => {
  const { sent } = open({}, { held: [] })
  await screen.findByRole('rowheader')
  expect(button('New app link').getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button('New app link'))
  expect((await entry('Edit')).getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('menuitem', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sent()).toEqual([])
})
