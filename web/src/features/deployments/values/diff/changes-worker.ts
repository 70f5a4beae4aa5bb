import { type ComparedValues, changedSettings } from '@quayside/values/merge/changed-settings'

addEventListener('message', ({ data }: MessageEvent<ComparedValues>) => postMessage(changedSettings(data)))
