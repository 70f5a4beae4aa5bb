import type { Places } from '../http/place.ts'

declare module '../http/place.ts' {
  interface PlaceKinds {
    space: true
  }
}

export const spacePlaces = {
  space: { visibleBy: 'space.view', unknown: 'space.not-found' },
} satisfies Places
