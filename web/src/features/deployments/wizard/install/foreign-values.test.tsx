import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, serving } from '../../../../testing/portal.tsx'
import { child, prepared, shop, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { InstallWizard } from './install-wizard.tsx'

const foreign = 'tanks: 7\nhost:\n  path: /\n'
const preset = { id: 'p1', catalogItemId: 'item1', name: 'Large', yaml: foreign, createdBy: 'mara', updatedAt: '' }
const ready = { id: 'action-1', running: false, state: 'Success', prepared }
const slow = { timeout: 5000 }

async function open({ roles = [] as string[], values }: { roles?: string[]; values?: string }) {
  const calls = serving({
    ...well,
    'GET /deployment/v1/actions/': ready,
    'GET /deployment/v1/presets/bycatalogitem/': { data: [preset] },
  })
  drawInPortal(<InstallWizard child={child} spaceId={shop.id} values={values} kind="A" />, { roles })
  const next = () => screen.getByRole<HTMLButtonElement>('button', { name: texts.next })
  await waitFor(() => expect(next().disabled).toBe(false))
  await userEvent.click(next())
  await screen.findByText(texts.infrastructure.text)
  return () => (calls.findLast(({ path }) => path.includes('/validate/'))?.body as { yaml: string } | undefined)?.yaml
}

const own = '# How many tanks\ntanks: 7\n'

it('of a link, who has only the form takes over what the form offers, and is told of the rest', async () => {
  const judged = await open({ values: foreign })
  expect(document.querySelector('[data-step]')?.getAttribute('data-step')).toBe('ValuesYaml')
  expect(screen.getByText(texts.presets.fromLink)).toBeDefined()
  expect(screen.getByText(texts.presets.leftOut).parentElement?.textContent).toContain('host')
  await waitFor(() => expect(judged()).toBe(own), slow)
})

it('who may write YAML takes all of it over', async () => {
  const judged = await open({ values: foreign, roles: ['catalog.apps.deploy.infrastructure.yaml'] })
  expect(screen.queryByText(texts.presets.leftOut)).toBeNull()
  await waitFor(() => expect(judged()).toBe(`${own}host:\n  path: /\n`), slow)
})

it('of a preset as well', async () => {
  const judged = await open({})
  // The test environment does not open popovers, so the browser's event is sent by hand.
  const panel = screen.getByRole('dialog', { name: texts.presets.title, hidden: true })
  fireEvent(panel, Object.assign(new Event('beforetoggle'), { newState: 'open' }))
  Object.assign(panel, { hidePopover: () => undefined })
  await userEvent.click(await screen.findByTitle(`${texts.presets.apply} Large`))
  expect(screen.getByText(texts.presets.leftOut).parentElement?.textContent).toContain('host')
  await waitFor(() => expect(judged()).toBe(own), slow)
})
