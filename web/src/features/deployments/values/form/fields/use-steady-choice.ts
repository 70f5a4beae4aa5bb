import { type FormEvent, useLayoutEffect, useRef } from 'react'

/** Keeps the choice that somebody has just made under their hand, whatever it has changed: in focus, and in its place. */
export function useSteadyChoice(fields: unknown) {
  const box = useRef<HTMLFieldSetElement>(null)
  const made = useRef<{ place: string; top: number }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other fields mean that the choice was carried out.
  useLayoutEffect(() => {
    const before = made.current
    made.current = undefined
    if (before === undefined || box.current === null) return
    const choices = [...box.current.querySelectorAll<HTMLElement>('[data-choice]')]
    const choice = choices.find(({ dataset }) => dataset.choice === before.place)
    if (choice === undefined) return
    choice.focus({ preventScroll: true })
    box.current.scrollTop += choice.getBoundingClientRect().top - before.top
  }, [fields])
  return {
    ref: box,
    onChangeCapture({ target }: FormEvent) {
      const place = target instanceof HTMLElement ? target.dataset.choice : undefined
      if (place !== undefined && target instanceof HTMLElement)
        made.current = { place, top: target.getBoundingClientRect().top }
    },
  }
}
