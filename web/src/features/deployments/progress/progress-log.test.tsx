import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { texts } from '../texts.ts'
import type { LogLine } from './progress.ts'
import { ProgressLog } from './progress-log.tsx'

const t = texts.log
const line = (seq: number, message: string): LogLine => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  message,
  level: 'info',
  timeout: false,
})
const shown = () => [...screen.getByRole('log').querySelectorAll('time + span')].map(({ textContent }) => textContent)

it('says that there is no line yet, and that none matches', async () => {
  const { rerender } = render(<ProgressLog title="PROGRESS" lines={[]} />)
  expect(screen.getByText(t.none)).toBeDefined()
  rerender(<ProgressLog title="PROGRESS" lines={[line(1, 'creating 3 resources')]} />)
  await userEvent.type(screen.getByRole('searchbox', { name: t.search }), 'volume')
  expect(screen.getByText(t.noMatch)).toBeDefined()
})

it('shows what a chart says as it comes, marked as the chart’s, and never as more than text', async () => {
  const lines = ['creating 3 resources', 'chart: <b>Visit</b> the shop', 'chart: 12 more lines are left out here']
  render(<ProgressLog title="PROGRESS" lines={lines.map((message, index) => line(index + 1, message))} />)
  expect(shown()).toEqual(lines)
  expect(document.querySelector('b')).toBeNull()
  await userEvent.type(screen.getByRole('searchbox', { name: t.search }), 'chart:')
  expect(shown()).toEqual(lines.slice(1))
  for (const name of [t.pause, t.copy, t.download]) expect(screen.getByRole('button', { name })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: t.pause }))
  expect(screen.getByRole('button', { name: t.follow })).toBeDefined()
})
