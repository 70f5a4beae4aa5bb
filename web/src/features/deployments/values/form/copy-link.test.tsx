import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { readLink } from '../../../../api/deployments/values-link.ts'
import { drawInPortal } from '../../../../testing/portal.tsx'
import { texts } from '../../texts.ts'
import { CopyLink } from './copy-link.tsx'

it.each(['/en/catalog/apps', '/en/apps/7app001', '/en/spaces/8kx2m4a/overview'])(
  'a link that is copied at %s leads to the catalog and carries what was changed',
  async (page) => {
    window.history.pushState({}, '', page)
    const user = userEvent.setup()
    drawInPortal(<CopyLink versionId="version1" yaml={'a: 2\nb: 1\n'} defaults={'a: 1\nb: 1\n'} schema={null} />)
    await user.click(await screen.findByRole('button', { name: texts.presets.copyLink }))
    await screen.findByText(texts.presets.copied)
    const link = new URL(await navigator.clipboard.readText())
    expect(link.pathname).toBe('/en/catalog/apps')
    expect(await readLink(link.search, link.hash)).toEqual({ versionId: 'version1', values: 'a: 2\n' })
  },
)
