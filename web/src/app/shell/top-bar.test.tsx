import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { setPreference } from '../../lib/preferences.ts'
import { drawInPortal, serving } from '../../testing/portal.tsx'
import { TopBar } from './top-bar.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setPreference('direction', 'ltr')
  setPreference('theme', 'app-dark')
})

function open() {
  serving({})
  const onDrawer = vi.fn()
  drawInPortal(<TopBar drawerOpen={false} onDrawer={onDrawer} />, { sections: [] })
  return onDrawer
}

it('turns the page around, and back', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Right to left' }))
  expect(document.documentElement.dir).toBe('rtl')
  expect(screen.queryByRole('button', { name: 'Right to left' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Left to right' }))
  expect(document.documentElement.dir).toBe('ltr')
})

it('makes the page light, and dark again', async () => {
  open()
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme')
  await userEvent.click(await screen.findByRole('button', { name: 'Light theme' }))
  expect(scheme()).toBe('light')
  await userEvent.click(screen.getByRole('button', { name: 'Dark theme' }))
  expect(scheme()).toBe('dark')
})

it('opens the navigation where it is a drawer', async () => {
  const onDrawer = open()
  await userEvent.click(await screen.findByRole('button', { name: 'Main navigation' }))
  expect(onDrawer).toHaveBeenCalledOnce()
})
