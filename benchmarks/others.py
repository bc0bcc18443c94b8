"""Other people's engines, timed beside ours where they are installed (`pip install .[bench]`)."""

import time

# Decisions of pgx played at once, and steps of that batch.
BATCH, STEPS = 1000, 200


def open_spiel_euchre(seconds: float) -> float:
    """Rounds a second of OpenSpiel's euchre, in C++, by `evaluate_bots` with random bots. May raise ImportError."""
    import pyspiel

    game = pyspiel.load_game("euchre")
    bots = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in range(game.num_players())]
    played = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, played)
        played += 1
    return played / (time.perf_counter() - start)


def pgx_leduc_holdem() -> float:
    """Decisions a second of pgx's leduc_holdem, on this processor, by random play. May raise ImportError."""
    import jax
    import jax.numpy as jnp
    import pgx

    game = pgx.make("leduc_holdem")
    step = pgx.experimental.auto_reset(game.step, game.init)

    @jax.jit
    def play(state, key):  # type: ignore[no-untyped-def]
        def one(state, key):  # type: ignore[no-untyped-def]
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            action = jax.random.categorical(key, logits, axis=-1)
            return jax.vmap(step)(state, action, jax.random.split(key, BATCH)), None

        return jax.lax.scan(one, state, jax.random.split(key, STEPS))[0]

    key = jax.random.PRNGKey(0)
    state = jax.vmap(game.init)(jax.random.split(key, BATCH))
    state = jax.block_until_ready(play(state, key))
    start = time.perf_counter()
    jax.block_until_ready(play(state, key))
    return BATCH * STEPS / (time.perf_counter() - start)
