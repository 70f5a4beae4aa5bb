import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

interface Look {
  name: string
  theme: 'app-dark' | 'app-light'
  direction: 'ltr' | 'rtl'
  /** Pixels. */
  width: 1440 | 390
}

const everyLook: Look[] = (['app-dark', 'app-light'] as const).flatMap((theme) =>
  (['ltr', 'rtl'] as const).flatMap((direction) =>
    ([1440, 390] as const).map((width) => ({ name: `${theme} ${direction} ${width}`, theme, direction, width })),
  ),
)

/** Both themes, both directions, a desk and a phone in two looks; every combination of them with LOOKS=all. */
export const looks: readonly Look[] =
  process.env.LOOKS === 'all'
    ? everyLook
    : everyLook.filter(({ name }) => ['app-dark ltr 1440', 'app-light rtl 390'].includes(name))

export async function applyLook(page: Page, { theme, direction, width }: Look) {
  await page.setViewportSize({ width, height: 900 })
  await page.addInitScript(
    ([wantedTheme, wantedDirection]) => {
      localStorage.setItem('quayside.theme', wantedTheme)
      localStorage.setItem('quayside.direction', wantedDirection)
    },
    [theme, direction] as const,
  )
}

/** The violations axe finds, and a line when the page is wider than its window. */
export async function faultsOf(page: Page): Promise<string[]> {
  // A colour on its way to another one is no colour to judge. What takes the place of an animation ends it by an error.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  )
  // Frames of other origins would need a second window for each look, which takes longer than the look: there are none.
  expect(page.frames(), 'frames of the page').toHaveLength(1)
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  return [
    ...violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} ${any.map(({ message }) => message).join(' ')}`).join(' | ')}`,
    ),
    ...(overflow > 0 ? [`${overflow} px wider than the window`] : []),
  ]
}
