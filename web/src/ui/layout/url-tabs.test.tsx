import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, serving } from '../../testing/portal.tsx'
import { UrlTabs } from './url-tabs.tsx'

const tabs = [
  { value: 'rows', title: 'Rows', panel: <p>the rows</p> },
  { value: 'parts', title: 'Parts', heading: 'All parts', panel: <p>the parts</p> },
]

async function at(address: string) {
  serving({})
  const { router } = drawInPortal(<UrlTabs label="About it" tabs={tabs} keeps={['version']} />, { at: address })
  await screen.findByRole('tablist', { name: 'About it' })
  return { search: () => router.state.location.search, click: userEvent.click }
}

it.each([
  ['no tab', '/', 'the rows'],
  ['a tab', '/?tab=parts', 'the parts'],
  ['a tab that is not there', '/?tab=elsewhere', 'the rows'],
])('an address with %s opens a tab', async (_, address, text) => {
  await at(address)
  expect(screen.getByText(text)).toBeDefined()
  expect(screen.getAllByRole('tabpanel')).toHaveLength(1)
})

it('another tab has no search, sort or page of the one before; what holds for all stays', async () => {
  const { search } = await at('/?q=a&sort=name&skip=20&version=7')
  await userEvent.click(screen.getByRole('tab', { name: 'Parts' }))
  expect(await screen.findByRole('heading', { name: 'All parts' })).toBeDefined()
  expect(search()).toEqual({ tab: 'parts', version: '7' })
  await userEvent.click(screen.getByRole('tab', { name: 'Rows' }))
  await screen.findByText('the rows')
  expect(search()).toEqual({ version: '7' })
})
