//! Looks after the proxies that rest, so that pages need not find out: one that answers may be tried at once.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::{Proxies, reach};
use crate::clock;
use crate::fetch::fetcher::Tools;
use crate::fetch::patience::Patience;

impl Proxies {
    /// There is something to look after.
    pub(in crate::fetch) fn wants_checks(&self) -> bool {
        !self.shared.members.is_empty() && !self.check_every.is_zero()
    }
}

/// Looks again and again, until the runtime ends.
pub(in crate::fetch) async fn watch(tools: Arc<Tools>, runtime: Handle) {
    loop {
        clock::sleep(tools.proxies.check_every).await;
        look(&tools, &runtime).await;
    }
}

/// Connects to every proxy that rests, and greets it if it is of the SOCKS kind. Nothing is sent to any site.
async fn look(tools: &Arc<Tools>, runtime: &Handle) {
    let resting = tools.proxies.shared.roster().resting(clock::now());
    let mut looks = JoinSet::new();
    for proxy in resting {
        let tools = Arc::clone(tools);
        looks.spawn_on(
            async move {
                let proxies = &tools.proxies;
                let Some(member) = proxies.shared.members.get(proxy) else { return };
                let mut patience = Patience::new(tools.limits);
                let answers = reach::proxy(&member.url, proxies, &mut patience).await.is_ok();
                proxies.shared.roster().looked_at(proxy, answers, clock::now());
                proxies.shared.changed.notify_waiters();
            },
            runtime,
        );
    }
    while looks.join_next().await.is_some() {}
}
