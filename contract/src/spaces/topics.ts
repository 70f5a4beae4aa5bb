import { filtered } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const spaceTopics = {
  spaces: { policy: filtered('space.view'), idIs: 'space', listsSpaces: true },
} satisfies Topics
