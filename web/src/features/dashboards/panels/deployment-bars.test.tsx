import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '../../../testing/draw.tsx'
import { DeploymentBars } from './deployment-bars.tsx'

it('time runs from left to right on a page from right to left, for the bars and their axis alike', () => {
  const bucket = { succeeded: 2, failed: 1, running: 0 }
  const buckets = ['2031-05-01T12:00:00Z', '2031-05-01T13:00:00Z'].map((at) => ({ at, ...bucket }))
  draw(
    <div dir="rtl">
      <DeploymentBars data={{ kind: 'Deployments', bucketSeconds: 3600, buckets }} asTable={false} />
    </div>,
  )
  const directionOf = (element: HTMLElement) => element.closest('[dir]')?.getAttribute('dir')
  expect(directionOf(screen.getByRole('img', { name: /4 succeeded, 2 failed/ }))).toBe('ltr')
  expect(directionOf(screen.getByText('highest bar: 3'))).toBe('ltr')
  // Words below them follow the page.
  expect(directionOf(screen.getByText('4'))).toBe('rtl')
})
