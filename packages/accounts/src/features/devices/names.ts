declare module '../../feature-names.js' {
  interface FeatureActions {
    'end-other-sessions': true
    'end-session': true
    'list-sessions': true
  }
}

export {}
