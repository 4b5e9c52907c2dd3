const _imports_0 = "/assets/app-account-dark.C9tLNbZt.png";
const _imports_1 = "/assets/app-account-light.ClURP5pz.png";
export {
  _imports_0 as _,
  _imports_1 as a
};
