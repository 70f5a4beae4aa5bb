import type { Places } from '../http/place.ts'

declare module '../http/place.ts' {
  interface PlaceKinds {
    app: true
  }
}

export const appPlaces = {
  app: { visibleBy: 'app.view', unknown: 'app.not-found' },
} satisfies Places
