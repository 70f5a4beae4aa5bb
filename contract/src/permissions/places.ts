import type { Places } from '../http/place.ts'

declare module '../http/place.ts' {
  interface PlaceKinds {
    request: true
  }
}

export const permissionPlaces = {
  request: { visibleBy: 'space.members', unknown: 'access-request.not-found' },
} satisfies Places
