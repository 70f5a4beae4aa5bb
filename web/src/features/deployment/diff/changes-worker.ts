import { type ComparedValues, changedSettings } from '@quayside/contract/values/changed-settings'

addEventListener('message', ({ data }: MessageEvent<ComparedValues>) => postMessage(changedSettings(data)))
